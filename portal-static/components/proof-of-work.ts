/** Solves the bot check of sign-up in a web worker. */

import worker from 'altcha/workers/pbkdf2?url';
import { scriptAddress } from '../app/trusted-types.ts';

/** An ALTCHA challenge (version 2), as `GET /api/bot-check` returns it. */
interface Challenge {
  readonly parameters: unknown;
  readonly signature: unknown;
}

/**
 * Solves an ALTCHA challenge in the library's own web worker. ALTCHA's widget is not used: the person has nothing to click, and the widget
 * is larger than the rest of the page.
 *
 * @returns the payload that the API verifies: base64 of challenge and solution.
 * @throws Error if the worker found no solution.
 */
export async function solve(challenge: unknown): Promise<string> {
  const { parameters, signature } = challenge as Challenge;
  const count = Math.min(4, Math.max(1, navigator.hardwareConcurrency));
  const workers = Array.from({ length: count }, () => new Worker(scriptAddress(worker)));
  try {
    const solution = await Promise.race(
      workers.map((it, index) => work(it, { challenge, counterStart: index, counterStep: count })),
    );
    return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
  } finally {
    for (const it of workers) it.terminate();
  }
}

function work(worker: Worker, task: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onerror = () => reject(new Error('the worker of the bot check failed'));
    worker.onmessage = ({ data }: MessageEvent<{ readonly error?: unknown } | null>) =>
      data === null || data.error !== undefined
        ? reject(new Error('the bot check has no solution'))
        : resolve(data);
    worker.postMessage({ ...task, type: 'work', counterMode: 'uint32', timeout: 90_000 });
  });
}
