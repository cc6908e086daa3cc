import type { CallCaps } from '../../directory/accounts.ts';
import { every, type Repeated } from '../../every.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotWakeChannel } from '../../redis/keys.ts';
import type { PendingCall } from './pending-call.ts';
import { type SlotOptions, WorkspaceSlots } from './workspace-slots.ts';

const SWEEP_MS = 5_000;

/**
 * Enforces the caps on concurrent calls of workspaces and messenger accounts, across all API processes. A call beyond a cap waits here
 * until a slot is free or its time is over. Its slot is given back when the call is answered. The slot of a dead process expires when its
 * call can no longer run. BullMQ cannot do this: it limits concurrency per queue only.
 */
export class CallSlots {
  private readonly options: SlotOptions;
  private readonly subscriber: RedisConnection;
  private readonly workspaces = new Map<string, WorkspaceSlots>();
  private readonly heard = new Set<string>();
  private readonly sweeping: Repeated;

  constructor(options: SlotOptions & { subscriber: RedisConnection }) {
    this.subscriber = options.subscriber;
    this.options = options;
    this.subscriber.on('smessage', (channel: string, message: string) => {
      const [processName, accountId] = message.split(' ');
      if (processName === this.options.processName) this.workspaces.get(channel)?.wake(accountId);
    });
    this.sweeping = every(SWEEP_MS, () => this.sweep());
  }

  /** Takes a call with a cap, and admits it once it has a slot. */
  push(pending: PendingCall, caps: CallCaps): void {
    const channel = slotWakeChannel(pending.workspaceId);
    let workspace = this.workspaces.get(channel);
    if (workspace === undefined) {
      workspace = new WorkspaceSlots(pending.workspaceId, this.options);
      this.workspaces.set(channel, workspace);
    }
    if (workspace.isWaiting) this.listen(workspace);
    workspace.push(pending, caps);
  }

  /** Gives back a call's slot. */
  leave(pending: PendingCall): void {
    this.workspaces.get(slotWakeChannel(pending.workspaceId))?.free(pending);
  }

  async close(): Promise<void> {
    await this.sweeping.stop();
    await Promise.all([...this.workspaces.values()].map((workspace) => workspace.close()));
  }

  // Polling covers the time until the subscription is active.
  private listen(workspace: WorkspaceSlots): void {
    if (this.heard.has(workspace.channel)) return;
    this.heard.add(workspace.channel);
    this.subscriber.ssubscribe(workspace.channel).then(
      () => void workspace.poll(),
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
