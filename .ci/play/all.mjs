// Runs the tests of the pages in which the games are played.

import { browser, server } from './person.mjs';

await import('./games.mjs');
await import('./trust.mjs');
await browser.close();
server.close();
