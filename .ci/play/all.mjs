// Runs the tests of the pages in which the games are played.

import { browser, server } from './person.mjs';

// These wait more than they work.
await Promise.all(['cards', 'boards', 'trust'].map((name) => import(`./${name}.mjs`)));
// A review takes all the cores.
await import('./review.mjs');
await browser.close();
server.close();
