import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { closedNetwork, createInternet, type Internet } from '../../../lambdas/portal/adapters/uri-probe.ts';

function internet(changed: {
  readonly addresses?: readonly string[];
  readonly status?: number;
  readonly never?: boolean;
  readonly fails?: boolean;
}) {
  const { addresses = ['93.184.216.34'], status = 200, never, fails } = changed;
  const asked: { readonly url: string; readonly resolved: unknown }[] = [];
  const request = ((
    url: URL,
    options: {
      lookup: (host: string, how: object, done: (...given: unknown[]) => void) => void;
      signal: AbortSignal;
    },
  ) => {
    let resolved: unknown;
    options.lookup('elsewhere', { all: true }, (_error, found) => {
      resolved = found;
    });
    asked.push({ url: url.href, resolved });
    const call = new EventEmitter();
    const answer = { statusCode: status, destroy: () => undefined };
    return Object.assign(call, {
      end: () => {
        if (fails) queueMicrotask(() => call.emit('error', new Error('refused')));
        else if (never)
          options.signal.addEventListener('abort', () => call.emit('error', new Error('aborted')));
        else queueMicrotask(() => call.emit('response', answer));
      },
    });
  }) as unknown as Internet['request'];
  const network = createInternet({
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
    request,
    isPublic: (address) => !address.startsWith('10.') && !address.startsWith('169.254.'),
    timeoutMs: 50,
  });
  return { network, asked };
}

describe('a look at an address', () => {
  it('says whether it answers, and nothing of what', async () => {
    for (const [status, verdict] of [
      [200, 'answers'],
      [302, 'answers'],
      [401, 'answers'],
      [405, 'answers'],
      [404, 'refuses'],
      [500, 'refuses'],
    ] as const) {
      expect(await internet({ status }).network.reach('https://app.example.org/privacy')).toBe(verdict);
    }
  });

  it('connects to the addresses that were looked at, whatever the name says by then', async () => {
    const { network, asked } = internet({});
    await network.reach('https://app.example.org/');
    expect(asked).toEqual([
      { url: 'https://app.example.org/', resolved: [{ address: '93.184.216.34', family: 4 }] },
    ]);
  });

  it('never leads inside: no private address, not even beside a public one, no other scheme, no other port', async () => {
    for (const addresses of [['10.0.0.1'], ['169.254.169.254'], ['93.184.216.34', '10.0.0.1'], []]) {
      const { network, asked } = internet({ addresses });
      expect(await network.reach('https://app.example.org/')).toBe('silent');
      expect(asked).toEqual([]);
    }
    const { network, asked } = internet({});
    expect(await network.reach('http://app.example.org/')).toBe('silent');
    expect(await network.reach('https://user:pass@app.example.org/')).toBe('silent');
    expect(await network.reach('https://app.example.org:8443/')).toBe('skipped');
    expect(asked).toEqual([]);
  });

  it('ends in time, and when the connection is refused', async () => {
    expect(await internet({ never: true }).network.reach('https://app.example.org/')).toBe('silent');
    expect(await internet({ fails: true }).network.reach('https://app.example.org/')).toBe('silent');
  });

  it('is left out where the portal’s network is closed', async () => {
    expect(await closedNetwork.reach('https://app.example.org/')).toBe('skipped');
  });
});
