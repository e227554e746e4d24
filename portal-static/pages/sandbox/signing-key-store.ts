import type { SigningKey } from './signing-key-model.ts';

/**
 * Keeps one signing key an application in this browser (IndexedDB), over the visit to the authorization server and longer. What
 * is kept is the browser's own handle on the key: its private part can't be read out of it.
 */
const store = 'signing-keys';

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

/** @returns undefined where there is none, or the browser keeps nothing. */
export async function keptSigningKey(applicationId: string): Promise<SigningKey | undefined> {
  return await ask<SigningKey | undefined>('readonly', (keys) => keys.get(applicationId)).catch(
    () => undefined,
  );
}

/** @throws where the browser keeps nothing. */
export async function keepSigningKey(applicationId: string, key: SigningKey): Promise<void> {
  await ask('readwrite', (keys) => keys.put(key, applicationId));
}

export async function forgetSigningKey(applicationId: string): Promise<void> {
  await ask('readwrite', (keys) => keys.delete(applicationId)).catch(() => undefined);
}
