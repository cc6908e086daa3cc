import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The suites that others wrote; `npm test` runs them through a test that counts what passed. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'conformance',
    include: ['test/conformance/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
