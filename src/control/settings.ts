import type { Config } from '../config.ts';

/** The settings that can be changed at run time, by the names that the API has for them. */
export const LIVE_SETTINGS = {
  logLevel: 'LOG_LEVEL',
  slowCallMs: 'SLOW_CALL_MS',
  keyRateLimit: 'KEY_RATE_LIMIT',
  callsInFlightMax: 'CALLS_IN_FLIGHT_MAX',
  callBytesInFlightMax: 'CALL_BYTES_IN_FLIGHT_MAX',
  admissionMaxWaitMs: 'ADMISSION_MAX_WAIT_MS',
  asyncCallsPerWorkspace: 'ASYNC_CALLS_PER_WORKSPACE',
  asyncCallBytesPerWorkspace: 'ASYNC_CALL_BYTES_PER_WORKSPACE',
  workspaceBytesMax: 'WORKSPACE_BYTES_MAX',
  organizationsMax: 'ORGANIZATIONS_MAX',
  workspacesPerOrganization: 'WORKSPACES_PER_ORGANIZATION',
  accountsPerWorkspace: 'ACCOUNTS_PER_WORKSPACE',
  apiKeysPerOrganization: 'API_KEYS_PER_ORGANIZATION',
  apiKeysPerWorkspace: 'API_KEYS_PER_WORKSPACE',
  webhooksPerWorkspace: 'WEBHOOKS_PER_WORKSPACE',
} as const satisfies Record<string, keyof Config>;

type SettingName = keyof typeof LIVE_SETTINGS;

/** Values of such settings. */
export type Settings = { [Name in SettingName]?: Config[(typeof LIVE_SETTINGS)[Name]] };

/** A process's own configuration, with other values where operators have set some. */
export class LiveConfig {
  private readonly config: Config;
  private readonly own: Config;
  private readonly listeners: (() => void)[] = [];

  /** Changes `config` itself, so that whoever reads it when it matters follows. */
  constructor(config: Config) {
    this.config = config;
    this.own = { ...config };
  }

  /** The values that hold in this process. */
  get values(): Settings {
    return Object.fromEntries(
      Object.entries(LIVE_SETTINGS).map(([name, setting]) => [name, this.config[setting]]),
    );
  }

  /** Has the process's own values hold, but for these. */
  apply(settings: Settings): void {
    const values = Object.entries(LIVE_SETTINGS).map(([name, setting]) => [
      setting,
      settings[name as SettingName] ?? this.own[setting],
    ]);
    Object.assign(this.config, Object.fromEntries(values));
    for (const listener of this.listeners) listener();
  }

  /** Has `act` called now and whenever values have changed, for what does not read them when it matters. */
  follow(act: () => void): void {
    act();
    this.listeners.push(act);
  }
}
