import { MessengerError } from '../../../../driver.ts';
import type { CompletedBlocks } from './complete-blocks.ts';
import type { Markup } from './markup.ts';
import { ParseAllowance } from './parse-allowance.ts';
import type { ThreadMessage } from './parse-thread.ts';
import { StoppableThread } from './stoppable-thread.ts';

const THREADS_MAX = 2;
/** The most CPU time for one text: ten times what the longest harmless text takes. */
const LIMIT_MS = 300;
/** The charge for a text that takes more. No harmless text does, so its workspace waits for a few seconds before its next one. */
const ENDED_MS = 2_000;

/** An organization's bucket is twice a workspace's, so that one workspace cannot use up the organization's time. */
const WORKSPACE_ALLOWANCE = { mostMs: 1_000, msPerSecond: 250 };
const ORGANIZATION_ALLOWANCE = { mostMs: 2_000, msPerSecond: 500 };

/** The tenant that a text belongs to. */
export interface ParseOwner {
  organizationId: string;
  workspaceId: string;
}

interface Parse {
  owner: ParseOwner;
  markup: Markup;
  signal: AbortSignal;
  resolve(blocks: CompletedBlocks): void;
  reject(error: unknown): void;
}

/**
 * Parses texts in a few threads. A thread that takes too long for a text is terminated, and the text gets `MESSAGE_TOO_LONG`. Organizations
 * take turns, each with one thread at a time, and so do the workspaces of each. Both have a bucket of CPU time, beyond which they get
 * `FLOOD_WAIT_n`.
 */
export class ParseThreads {
  /** Waiting texts by organization and workspace, the next one first. */
  private readonly waiting = new Map<string, Map<string, Parse[]>>();
  /** The organizations that a thread works for. */
  private readonly served = new Set<string>();
  private idle: StoppableThread[] = [];
  private readonly ofWorkspaces: ParseAllowance;
  private readonly ofOrganizations: ParseAllowance;

  /** `now` tells the time in ms, by which the buckets fill up again. */
  constructor(now = () => performance.now()) {
    this.ofWorkspaces = new ParseAllowance(WORKSPACE_ALLOWANCE, now);
    this.ofOrganizations = new ParseAllowance(ORGANIZATION_ALLOWANCE, now);
  }

  read(owner: ParseOwner, markup: Markup, signal: AbortSignal): Promise<CompletedBlocks> {
    const { organizationId, workspaceId } = owner;
    return new Promise((resolve, reject) => {
      const ofOrganization = this.waiting.get(organizationId) ?? new Map<string, Parse[]>();
      this.waiting.set(organizationId, ofOrganization);
      const ofWorkspace = ofOrganization.get(workspaceId) ?? [];
      ofOrganization.set(workspaceId, ofWorkspace);
      ofWorkspace.push({ owner, markup, signal, resolve, reject });
      this.advance();
    });
  }

  private advance(): void {
    while (this.served.size < THREADS_MAX) {
      const parse = this.takeNext();
      if (parse === undefined) return;
      this.served.add(parse.owner.organizationId);
      this.serve(parse)
        .then((message) => answer(parse, message), parse.reject)
        .finally(() => {
          this.served.delete(parse.owner.organizationId);
          this.advance();
        });
    }
  }

  // Takes the next text, of the organization that has waited longest for a turn.
  private takeNext(): Parse | undefined {
    for (const [organizationId, byWorkspace] of this.waiting) {
      if (this.served.has(organizationId)) continue;
      this.waiting.delete(organizationId);
      const parse = this.takeFrom(byWorkspace);
      if (byWorkspace.size > 0) this.waiting.set(organizationId, byWorkspace);
      if (parse !== undefined) return parse;
    }
    return undefined;
  }

  // Takes the next text, of the workspace that has waited longest for a turn. Texts without allowance are refused in their turn.
  private takeFrom(byWorkspace: Map<string, Parse[]>): Parse | undefined {
    for (const [workspaceId, waiting] of byWorkspace) {
      byWorkspace.delete(workspaceId);
      for (let parse = waiting.shift(); parse !== undefined; parse = waiting.shift()) {
        const waitS = this.waitSeconds(parse.owner);
        if (parse.signal.aborted) parse.reject(parse.signal.reason);
        else if (waitS > 0) parse.reject(new MessengerError(`FLOOD_WAIT_${waitS}`));
        else {
          if (waiting.length > 0) byWorkspace.set(workspaceId, waiting);
          return parse;
        }
      }
    }
    return undefined;
  }

  private waitSeconds({ organizationId, workspaceId }: ParseOwner): number {
    return Math.max(
      this.ofOrganizations.waitSeconds(organizationId),
      this.ofWorkspaces.waitSeconds(workspaceId),
    );
  }

  private async serve({ owner, markup }: Parse): Promise<ThreadMessage> {
    const thread = this.idle.pop() ?? (await StoppableThread.start((gone) => this.forget(gone)));
    const { message, usedMs } = await thread.read(markup, LIMIT_MS);
    const chargedMs = message === null ? ENDED_MS : usedMs;
    this.ofWorkspaces.charge(owner.workspaceId, chargedMs);
    this.ofOrganizations.charge(owner.organizationId, chargedMs);
    if (message === null) return { refusal: 'MESSAGE_TOO_LONG' };
    this.idle.push(thread);
    return message;
  }

  private forget(gone: StoppableThread): void {
    this.idle = this.idle.filter((thread) => thread !== gone);
  }
}

function answer({ resolve, reject }: Parse, message: ThreadMessage): void {
  if ('ready' in message || 'failure' in message)
    reject(new Error(`a text could not be read: ${JSON.stringify(message)}`));
  else if ('refusal' in message) reject(new MessengerError(message.refusal));
  else resolve(JSON.parse(message.blocks) as CompletedBlocks);
}
