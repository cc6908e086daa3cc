import { findChromium } from './find-chromium.ts';

/** Finds or installs Chromium before the test files look for it. */
export async function setup(): Promise<void> {
  await findChromium((line) => process.stderr.write(`${line}\n`));
}
