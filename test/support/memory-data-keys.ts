import { randomBytes } from 'node:crypto';
import type { DataKeys } from '../../lambdas/platform/aws/data-keys.ts';

const made = new Map<string, { readonly key: Uint8Array; readonly context: string }>();

/** Data keys like those of KMS: a key is decrypted only with the encryption context it was generated for. */
export const memoryDataKeys: DataKeys = {
  async generate(context) {
    const [key, wrapped] = [randomBytes(32), randomBytes(184)];
    made.set(wrapped.toString('hex'), { key, context: JSON.stringify(context) });
    return { key, wrapped };
  },
  async unwrap(wrapped, context) {
    const found = made.get(Buffer.from(wrapped).toString('hex'));
    if (found?.context !== JSON.stringify(context)) throw new Error('InvalidCiphertextException');
    return found.key;
  },
};
