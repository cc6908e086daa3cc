import { defineConfig } from 'vitest/config';

/** The tests that run production code in their own process: those that a mutant can be put before. */
export default defineConfig({
  test: {
    include: [
      'test/unit/{api,async-calls,directory,queue,state,ledger,updates,workers,webhooks}/**/*.test.ts',
      'test/integration/{api,async-calls,directory,ledger,queue,state,updates,webhooks,workers}/**/*.test.ts',
      'test/integration/sandbox/{cost,voice-message,messages,accounts}*.test.ts',
    ],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
