import { defineConfig } from 'vitest/config';
import { QUICK_PARTS, SLOW_PARTS } from './src/launch/test-parts.mjs';

/** How a part runs that is not all in this process: with a Redis and a compiled service. */
const WITH_SERVICE = { globalSetup: 'test/support/global-setup.ts' };
/** A file at a time: what it measures or does to its processes must not depend on other files. */
const ALONE = { fileParallelism: false };

const SETTINGS: Record<string, object> = {
  unit: {},
  growth: ALONE,
  integration: { ...WITH_SERVICE, testTimeout: 60_000, hookTimeout: 60_000 },
  stories: { ...WITH_SERVICE, testTimeout: 120_000, hookTimeout: 120_000 },
  e2e: { ...WITH_SERVICE, ...ALONE, testTimeout: 120_000, hookTimeout: 120_000 },
  strangers: { ...WITH_SERVICE, ...ALONE, testTimeout: 120_000, hookTimeout: 120_000 },
  chaos: { ...WITH_SERVICE, ...ALONE, testTimeout: 120_000, hookTimeout: 120_000 },
  cluster: { ...WITH_SERVICE, ...ALONE, testTimeout: 120_000, hookTimeout: 120_000 },
};

export default defineConfig({
  test: {
    projects: [...QUICK_PARTS, ...SLOW_PARTS].map((name, groupOrder) => ({
      test: { name, include: [`test/${name}/**/*.test.ts`], sequence: { groupOrder }, ...SETTINGS[name] },
    })),
  },
});
