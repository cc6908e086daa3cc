import { defineConfig } from 'vitest/config';
import { QUICK_PARTS, SLOW_PARTS } from './src/launch/test-parts.mjs';

/** How a part runs that needs more than this process: with a Redis and a compiled service. */
const WITH_SERVICE = { globalSetup: 'test/support/global-setup.ts' };
/** A file at a time: what it measures or does to its processes must not depend on other files. */
const ALONE = { fileParallelism: false };
/** The machine itself may delay one or two of ten calls a second. What hurts a tenant does so twice. */
const LATE_TWICE = { retry: { count: 1, condition: /(p99|slowest|answered|idle) in ms|refused calls/ } };

/** Files share the modules that a process has loaded: to load them takes longer than most tests do. No spy outlives its test. */
const SHARING = { isolate: false, restoreMocks: true };
/** Also on two cores: much of what these tests do is to wait. */
const QUICK = { maxWorkers: 4 };

const SETTINGS: Record<string, object> = {
  // What `growth` measures is processor time, so its files may run beside each other.
  unit: { ...QUICK, ...SHARING },
  integration: { ...QUICK, ...SHARING, ...WITH_SERVICE },
  stories: { ...QUICK, ...WITH_SERVICE },
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
    maxWorkers: 2,
    projects: [...QUICK_PARTS, ...SLOW_PARTS].map((name, index) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        // The quick parts do not wait for each other's last file.
        sequence: { groupOrder: QUICK_PARTS.includes(name) ? 0 : index },
        testTimeout: 120_000,
        hookTimeout: 120_000,
        ...SETTINGS[name],
      },
    })),
  },
});
