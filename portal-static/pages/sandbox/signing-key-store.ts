/** Keeps the browser's signing keys of `private_key_jwt` applications in IndexedDB. */

import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { BrowserSigningKey } from './signing-key-model.ts';

/**
 * Keeps signing keys in this browser (IndexedDB), over the visit to the authorization server and longer. What is kept is the
 * browser's own handle on a key: its private part can't be read out of it.
 */
const store = 'signing-keys';

interface Kept {
  readonly key: BrowserSigningKey;
  /** Application it was chosen for; absent if it was made before its application was registered. */
  readonly applicationId?: string;
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('guided-first-call', 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function ask<Answer>(
  mode: IDBTransactionMode,
  question: (keys: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const database = await opened();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const transaction = database.transaction(store, mode);
      const request = question(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/**
 * The key for an application's calls: one that is registered for it, or that was chosen for it.
 *
 * @returns undefined where there is none, or the browser keeps nothing.
 */
export async function keptSigningKey(
  applicationId: string,
  { jwks }: Pick<ApplicationConfiguration, 'jwks'>,
): Promise<BrowserSigningKey | undefined> {
  const all = await ask<Kept[]>('readonly', (keys) => keys.getAll()).catch(() => []);
  const isRegistered = ({ key }: Kept) => jwks?.keys.some(({ kid }) => kid === key.publicJwk.kid) === true;
  const found = all.find((kept) => kept.applicationId === applicationId) ?? all.find(isRegistered);
  return found?.key;
}

/** Keeps a key by its id. For an application it takes the place of the one before. @throws where the browser keeps nothing. */
export async function keepSigningKey(key: BrowserSigningKey, applicationId?: string): Promise<void> {
  if (applicationId !== undefined) await forgetSigningKeys((kept) => kept.applicationId === applicationId);
  const kept: Kept = { key, ...(applicationId === undefined ? {} : { applicationId }) };
  await ask('readwrite', (keys) => keys.put(kept, key.publicJwk.kid));
}

export async function forgetSigningKey({ publicJwk }: BrowserSigningKey): Promise<void> {
  await forgetSigningKeys(({ key }) => key.publicJwk.kid === publicJwk.kid);
}

async function forgetSigningKeys(which: (kept: Kept) => boolean): Promise<void> {
  const all = await ask<Kept[]>('readonly', (keys) => keys.getAll()).catch(() => []);
  for (const { key } of all.filter(which)) {
    await ask('readwrite', (keys) => keys.delete(key.publicJwk.kid)).catch(() => undefined);
  }
}
