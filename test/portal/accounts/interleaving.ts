import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

/**
 * Runs several people's requests concurrently, with one call to the store or the user pool at a time, in an order that the test gives, so
 * that any order that may occur can be tested.
 */
export interface Interleaving {
  /** Wraps a service: during a race each of its calls waits for its turn. */
  wrap<Target extends object>(target: Target): Target;
  /**
   * Runs the acts in the order of `turns`.
   *
   * @param acts by the person who acts.
   * @param turns for each turn the index of the waiting call that is next, modulo their number.
   * @param crash the person whose function ends, and the number of the call from which on its calls fail.
   */
  race<Answer>(
    acts: Readonly<Record<string, () => Promise<Answer>>>,
    turns: readonly number[],
    crash?: { readonly who: string; readonly at: number },
  ): Promise<Readonly<Record<string, Answer>>>;
}

export function interleaving(): Interleaving {
  const who = new AsyncLocalStorage<string>();
  let waiting: (() => void)[] = [];
  let calls = new Map<string, number>();
  let crashes: { readonly who: string; readonly at: number } | undefined;
  const turn = async (): Promise<void> => {
    const name = who.getStore();
    if (name === undefined) return;
    const count = calls.get(name) ?? 0;
    calls.set(name, count + 1);
    if (crashes?.who === name && count >= crashes.at)
      throw new StoreUnavailable(new Error('the function is dead'));
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    wrap(target) {
      return new Proxy(target, {
        get(of, name) {
          const member: unknown = Reflect.get(of, name);
          if (typeof member !== 'function') return member;
          return async (...args: unknown[]) => {
            await turn();
            return await member.apply(of, args);
          };
        },
      });
    },
    async race(acts, turns, crash) {
      [waiting, calls, crashes] = [[], new Map(), crash];
      let open = Object.keys(acts).length;
      const answers = Object.entries(acts).map(async ([name, act]) => {
        const answer = await who.run(name, act);
        open -= 1;
        return [name, answer] as const;
      });
      for (let at = 0; open > 0; ) {
        await settled();
        const next = waiting.splice((turns[at] ?? 0) % Math.max(1, waiting.length), 1)[0];
        if (next === undefined) continue;
        at += 1;
        next();
      }
      return Object.fromEntries(await Promise.all(answers));
    },
  };
}

/** Waits until the code after the last call has made its next call. */
async function settled(): Promise<void> {
  for (let ticks = 0; ticks < 3; ticks += 1) await new Promise((resolve) => setImmediate(resolve));
}
