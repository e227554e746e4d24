/** Stores the signing keys of `private_key_jwt` applications in this browser (IndexedDB). */

import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { BrowserSigningKey } from './signing-key-model.ts';

/**
 * Name of the object store. Keys stay in it across the redirect to the authorization server and later visits. The browser stores a
 * non-extractable `CryptoKey`, whose private part no script can read.
 */
const store = 'signing-keys';

interface Kept {
  readonly key: BrowserSigningKey;
  /** The application for which the key was selected; absent if the key was made before its application was registered. */
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
 * Finds the key for an application's calls: the key selected for the application, or else a key that is registered for it.
 *
 * @returns undefined where there is none, or the browser has no storage.
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

/**
 * Stores a key by its ID. With an application, replaces the key that was selected for that application.
 *
 * @throws where the browser has no storage.
 */
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
