// A page's first screens as a picture of 1280 by 1500 pixels.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [, , page, picture] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
const tab = await browser.newPage({ viewport: { width: 1280, height: 1500 }, colorScheme: 'light' });
await tab.goto(pathToFileURL(path.resolve(page)).href);
await tab.screenshot({ path: picture });
await browser.close();
