import type { Config } from '../config.ts';

/** The settings that can be changed at run time, by their names in the API. */
export const LIVE_SETTINGS = {
  logLevel: 'LOG_LEVEL',
  slowCallMs: 'SLOW_CALL_MS',
  scalingTargetWaitMs: 'SCALING_TARGET_WAIT_MS',
  keyRateLimit: 'KEY_RATE_LIMIT',
  connectionsMax: 'CONNECTIONS_MAX',
  callsInFlightMax: 'CALLS_IN_FLIGHT_MAX',
  callBytesInFlightMax: 'CALL_BYTES_IN_FLIGHT_MAX',
  answerBytesInFlightMax: 'ANSWER_BYTES_IN_FLIGHT_MAX',
  admissionMaxWaitMs: 'ADMISSION_MAX_WAIT_MS',
  asyncCallsPerWorkspace: 'ASYNC_CALLS_PER_WORKSPACE',
  asyncCallBytesPerWorkspace: 'ASYNC_CALL_BYTES_PER_WORKSPACE',
  asyncConcurrency: 'ASYNC_CONCURRENCY',
  workspaceBytesMax: 'WORKSPACE_BYTES_MAX',
  organizationsMax: 'ORGANIZATIONS_MAX',
  workspacesPerOrganization: 'WORKSPACES_PER_ORGANIZATION',
  accountsPerWorkspace: 'ACCOUNTS_PER_WORKSPACE',
  apiKeysPerOrganization: 'API_KEYS_PER_ORGANIZATION',
  apiKeysPerWorkspace: 'API_KEYS_PER_WORKSPACE',
  webhooksPerWorkspace: 'WEBHOOKS_PER_WORKSPACE',
  subscribersPerKey: 'SUBSCRIBERS_PER_KEY',
  tracesPerSecond: 'TRACES_PER_SECOND',
} as const satisfies Record<string, keyof Config>;

type SettingName = keyof typeof LIVE_SETTINGS;

/** Values of these settings. */
export type Settings = { [Name in SettingName]?: Config[(typeof LIVE_SETTINGS)[Name]] };

/** A process's own configuration, overridden by values that operators have set. */
export class LiveConfig {
  private readonly config: Config;
  private readonly own: Config;
  private readonly listeners: (() => void)[] = [];

  /** Changes `config` itself, so that code that reads it at the time of use sees new values. */
  constructor(config: Config) {
    this.config = config;
    this.own = { ...config };
  }

  /** The values in use in this process. */
  get values(): Settings {
    return Object.fromEntries(
      Object.entries(LIVE_SETTINGS).map(([name, setting]) => [name, this.config[setting]]),
    );
  }

  /** How many ended async calls of a workspace are kept. A lower value than the process's own removes none of those that are there. */
  get endedCallsMax(): number {
    return Math.max(this.own.ASYNC_CALLS_PER_WORKSPACE, this.config.ASYNC_CALLS_PER_WORKSPACE);
  }

  /** Uses these values, and the process's own for all others. */
  apply(settings: Settings): void {
    const values = Object.entries(LIVE_SETTINGS).map(([name, setting]) => [
      setting,
      settings[name as SettingName] ?? this.own[setting],
    ]);
    Object.assign(this.config, Object.fromEntries(values));
    for (const listener of this.listeners) listener();
  }

  /** Calls `act` now and whenever values have changed, for code that does not read them at the time of use. */
  follow(act: () => void): void {
    act();
    this.listeners.push(act);
  }
}
