import type { CallContext } from '../../../driver.ts';
import { fileKey, fileSizesKey } from './keys.ts';

/** Whether a message or a theme refers to an upload. */
export async function isClaimed({ tx }: CallContext, userId: number, fileId: string): Promise<boolean> {
  return (await tx.observe(fileSizesKey(userId, fileId), 'claimed')) !== null;
}

/** Removes an upload that nothing refers to. */
export function forgetUpload({ tx }: CallContext, userId: number, fileId: string): void {
  tx.del(fileKey(userId, fileId), 'h');
  tx.del(fileSizesKey(userId, fileId), 'h');
}
