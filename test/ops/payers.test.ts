import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCommandLine } from '../../ops/command-line/command.ts';
import { commands } from '../../ops/program.ts';

/** The commands `payers …` over a mock of the function `exchange-operations`. */

const payer = { payerId: 'former', revision: 7, identifiers: [], differences: [], checks: [] };

async function run(args: readonly string[], answer: object = { kind: 'payer', payer }) {
  const printed: string[] = [];
  const asked: Record<string, unknown>[] = [];
  const line = readCommandLine(commands, ['payers', ...args, '--function', 'exchange']);
  if (line === undefined) throw new Error('no command');
  const { command, values, words } = line;
  const code = await command.run({
    ...{ values, words, variables: {}, system: undefined },
    print: (text) => printed.push(text),
    note: () => {},
    invoke: async (_, request) => {
      asked.push(request as Record<string, unknown>);
      return (request as { action: string }).action === 'show-payer' ? { kind: 'payer', payer } : answer;
    },
  });
  return { code, printed: printed.join('\n'), asked };
}

const folder = mkdtempSync(join(tmpdir(), 'payers-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('update names the revision that was read, and only the elements of the options', async () => {
  const key = file('key', 'secret-value\n');
  const options = ['--client', 'ours', '--npi', '1234567893', '--header', 'x-key', '--header-file', key];
  const { asked } = await run(['update', 'former', ...options]);
  expect(asked.at(-1)).toMatchObject({ action: 'update-payer', payerId: 'former', revision: 7 });
  expect(asked.at(-1)?.changes).toEqual({
    clientId: 'ours',
    identifiers: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
    header: { name: 'x-key', value: 'secret-value' },
  });
});

it('import sends the payers of a Bundle in requests of 200', async () => {
  const useCase = { system: 'http://x/NdhFhirEndpointUseCaseCS', code: 'payerToPayer' };
  const extension = [{ url: 'http://x/base-ext-implementation-guide', valueCoding: useCase }];
  const endpoint = (at: number) => ({
    resource: { resourceType: 'Endpoint', status: 'active', address: `https://p${at}.example`, extension },
  });
  const entry = Array.from({ length: 201 }, (_, at) => endpoint(at));
  const bundle = file('bundle.json', JSON.stringify({ resourceType: 'Bundle', entry }));
  const { code, asked } = await run(['import', '--file', bundle], {
    kind: 'proposed',
    payers: [],
    faults: [],
  });
  expect(code).toBe(0);
  expect(asked.map(({ payers }) => (payers as unknown[]).length)).toEqual([200, 1]);
});

it('discover says why an address was refused, and ends with 1', async () => {
  const faults = [{ code: 'own-host', address: 'https://x.example/\u001b[2J' }];
  const { code, printed } = await run(['discover', 'https://x.example'], {
    kind: 'proposed',
    payers: [],
    faults,
  });
  expect(code).toBe(1);
  expect(printed).toBe('refused: The address is a host of this service. (https://x.example/\\u001b[2J)');
});

it('a refused change says which values are wrong', async () => {
  const faults = [{ field: 'clientId', expected: 'A value is required before the payer is active.' }];
  const { code, printed } = await run(['activate', 'former'], { kind: 'refused', reason: 'invalid', faults });
  expect([code, printed]).toEqual([1, 'refused: clientId: A value is required before the payer is active.']);
});

it.each([
  [['update', 'former'], 'nothing to change'],
  [['update', 'former', '--npi', '1234567890'], 'is no NPI'],
  [['update', 'former', '--header', 'x-key'], 'belong together'],
  [['add', 'former', '--name', 'Former'], 'is invalid'],
  [['show', 'NO SUCH'], 'is invalid'],
  [['import'], 'needs --file'],
  [['import', '--file', join(folder, 'none')], 'cannot be read'],
])('%j is refused before anything is sent', async (args, message) => {
  await expect(run(args)).rejects.toThrow(message);
});
