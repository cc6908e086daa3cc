import { defineConfig } from 'vitest/config';
import { QUICK_PARTS, SLOW_PARTS } from './src/launch/test-parts.mjs';

/** How a part runs that needs more than this process: with a Redis and a compiled service. */
const WITH_SERVICE = { globalSetup: 'test/support/global-setup.ts' };
/** A file at a time: what it measures or does to its processes must not depend on other files. */
const ALONE = { fileParallelism: false };
/** A p99 of ten calls a second is its second slowest call, which the machine itself may delay. What hurts a tenant does so twice. */
const LATE_TWICE = { retry: { count: 1, condition: /p99 in ms/ } };

const SETTINGS: Record<string, object> = {
  // Loading modules takes longer than these tests do, so files share them.
  unit: { isolate: false },
  growth: ALONE,
  // Most of their time goes by waiting.
  integration: { ...WITH_SERVICE, maxWorkers: 3 },
  stories: WITH_SERVICE,
  generated: { ...WITH_SERVICE, ...ALONE },
  clients: WITH_SERVICE,
  e2e: WITH_SERVICE,
  browser: {
    globalSetup: ['test/support/global-setup.ts', 'test/support/browser/global-setup.ts'],
    ...ALONE,
  },
  load: { ...WITH_SERVICE, ...ALONE },
  strangers: { ...WITH_SERVICE, ...ALONE, ...LATE_TWICE },
  chaos: { ...WITH_SERVICE, ...ALONE },
  cluster: { ...WITH_SERVICE, ...ALONE },
};

export default defineConfig({
  test: {
    // Also on two cores: much of what tests do is to wait.
    maxWorkers: 2,
    projects: [...QUICK_PARTS, ...SLOW_PARTS].map((name, groupOrder) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        sequence: { groupOrder },
        testTimeout: 120_000,
        hookTimeout: 120_000,
        ...SETTINGS[name],
      },
    })),
  },
});
