// Runs the tests of the pages in which the games are played.

import { browser, server } from './person.mjs';

// Both wait more than they work.
await Promise.all([import('./games.mjs'), import('./trust.mjs')]);
// A review takes all the cores.
await import('./review.mjs');
await browser.close();
server.close();
