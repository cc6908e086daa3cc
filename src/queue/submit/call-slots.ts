import type { CallCaps } from '../../directory/accounts.ts';
import { every, type Repeated } from '../../every.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotWakeChannel } from '../../redis/keys.ts';
import type { PendingCall } from './pending-call.ts';
import { type SlotOptions, WorkspaceSlots } from './workspace-slots.ts';

const SWEEP_MS = 5_000;

/**
 * Holds the caps on concurrent calls of workspaces and messenger accounts, over all API processes. A call beyond a cap waits
 * here until a slot is free or its time is over. A slot is given back when the call is answered; one whose process died ends
 * when its call can run no longer.
 */
export class CallSlots {
  private readonly options: SlotOptions;
  private readonly subscriber: RedisConnection;
  private readonly bootId: string;
  private readonly workspaces = new Map<string, WorkspaceSlots>();
  private readonly heard = new Set<string>();
  private readonly sweeping: Repeated;
  private holding = 0;
  private queued = 0;

  constructor(
    options: Omit<SlotOptions, 'onAdmitted'> & {
      subscriber: RedisConnection;
      onAdmitted(pending: PendingCall): void;
    },
  ) {
    this.subscriber = options.subscriber;
    this.bootId = options.bootId;
    this.options = {
      ...options,
      onAdmitted: (pending, hasSlot) => {
        this.queued -= 1;
        pending.slot = hasSlot ? 'held' : 'none';
        if (hasSlot) this.holding += 1;
        options.onAdmitted(pending);
      },
    };
    this.subscriber.on('smessage', (channel: string, message: string) => {
      if (message === this.bootId) this.workspaces.get(channel)?.schedule();
    });
    this.sweeping = every(SWEEP_MS, () => this.sweep());
  }

  /** How many calls of this process hold a slot. */
  get held(): number {
    return this.holding;
  }

  /** How many calls wait in this process for a slot. */
  get waiting(): number {
    return this.queued;
  }

  /** Takes a call that has a cap; it goes on once it has a slot. */
  admit(pending: PendingCall, caps: CallCaps): void {
    const channel = slotWakeChannel(pending.workspaceId);
    let workspace = this.workspaces.get(channel);
    if (workspace === undefined) {
      workspace = new WorkspaceSlots(pending.workspaceId, this.options);
      this.workspaces.set(channel, workspace);
    }
    if (workspace.isWaiting) this.listen(workspace);
    pending.slot = 'waiting';
    this.queued += 1;
    workspace.push(pending, caps);
  }

  /** Gives up what a call holds or waits for. */
  release(pending: PendingCall): void {
    const { slot } = pending;
    pending.slot = 'none';
    if (slot === 'waiting') this.queued -= 1;
    if (slot !== 'held') return;
    this.holding -= 1;
    this.workspaces.get(slotWakeChannel(pending.workspaceId))?.free(pending);
  }

  async close(): Promise<void> {
    void this.sweeping.stop();
    await Promise.all([...this.workspaces.values()].map((workspace) => workspace.close()));
  }

  // Until it is heard, polling does.
  private listen(workspace: WorkspaceSlots): void {
    if (this.heard.has(workspace.channel)) return;
    this.heard.add(workspace.channel);
    this.subscriber.ssubscribe(workspace.channel).then(
      () => workspace.schedule(),
      () => this.heard.delete(workspace.channel),
    );
  }

  private sweep(): void {
    for (const [channel, workspace] of this.workspaces) {
      if (!workspace.isIdle) {
        if (workspace.isWaiting) this.listen(workspace);
        continue;
      }
      this.workspaces.delete(channel);
      if (this.heard.delete(channel)) this.subscriber.sunsubscribe(channel).catch(() => undefined);
    }
  }
}
