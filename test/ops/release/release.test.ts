import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployToMachine } from '../../../ops/release/machine.ts';
import { releaseCommand } from '../../../ops/release/release.ts';
import { driftSteps, releaseSteps } from '../../../ops/release/steps.ts';
import { repositoryRoot } from '../../architecture/imports.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  for (const stage of ['sandbox', 'production', 'portal']) {
    const folder = join(root, 'cdk.out', `assembly-${stage}`);
    mkdirSync(folder, { recursive: true });
    const properties = { templateFile: 'Data.template.json', stackName: `${stage}-Data` };
    const environment = 'aws://111122223333/us-east-1';
    const stack = { type: 'aws:cloudformation:stack', environment, properties };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: { data: stack } }));
    const template = { Resources: { Table0A1B2C3D: { Type: 'AWS::DynamoDB::Table' } } };
    writeFileSync(join(folder, 'Data.template.json'), JSON.stringify(template));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ran: readonly string[];
}

/** Runs `npm run release` with commands that only are recorded. */
async function release(
  args: readonly string[],
  { fails = '', answer, ran: act }: { fails?: string; answer?: string; ran?: (command: string) => void } = {},
): Promise<Ended> {
  const [out, err, ran]: [string[], string[], string[]] = [[], [], []];
  const code = await releaseCommand(args, {
    root,
    terminal: {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      ...(answer !== undefined && { ask: async () => answer }),
    },
    run(command) {
      const line = command.join(' ');
      ran.push(line);
      act?.(line);
      return fails !== '' && line.includes(fails) ? 1 : 0;
    },
    deployed: async () => new Map(),
  });
  return { code, out: out.join('\n'), err: err.join('\n'), ran };
}

const deployments = ({ ran }: Ended) =>
  ran.flatMap((line) => /cdk deploy .* (\w+)\/\*/.exec(line)?.[1] ?? []);

describe('a release', () => {
  it('deploys sandbox, then, approved, production and the portal, each after showing what changes', async () => {
    const ended = await release(['all'], { answer: 'production' });
    expect(ended.code).toBe(0);
    expect(deployments(ended)).toEqual(['sandbox', 'production', 'portal']);
    expect(ended.out).toMatch(
      /== changes-production:[\s\S]*production-Data +added[\s\S]*== first-production:[\s\S]*== deploy-production:/,
    );
    expect(ended.ran.join('\n')).toMatch(/ production\/LobEGWP [^\n]*\n[^\n]* production\/\* /);
  });

  it('that can’t read the items of an earlier one is not deployed', async () => {
    const ended = await release(['all', '--yes'], { fails: 'test/releases' });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('items failed with exit code 1') });
    expect(deployments(ended)).toEqual([]);
  });

  it('whose smoke test fails in the sandbox does not reach production', async () => {
    const ended = await release(['all', '--yes'], { fails: '--environment sandbox' });
    expect(ended.code).toBe(1);
    expect(deployments(ended)).toEqual(['sandbox']);
  });

  it.each([
    ['nobody can be asked', {}],
    ['the answer is no', { answer: 'no' }],
  ])('stops before production if %s', async (_what, more) => {
    const ended = await release(['all'], more);
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('first-production was not approved'),
    });
    expect(deployments(ended)).toEqual(['sandbox']);
  });

  it('deploys only the assembly that was built', async () => {
    await release(['fingerprint']);
    appendFileSync(join(root, 'cdk.out/assembly-production/Data.template.json'), ' ');
    const ended = await release(['deploy-production']);
    expect(ended).toMatchObject({
      code: 1,
      ran: [],
      err: expect.stringContaining('is not the release that was built'),
    });
    expect((await release(['fingerprint', 'first-production'])).code).toBe(1);
    expect((await release(['fingerprint', 'first-production', '--yes'])).code).toBe(0);
  });

  it('keeps its fingerprint while the CDK CLI zips assets and takes locks', async () => {
    await release(['fingerprint']);
    mkdirSync(join(root, 'cdk.out/.cache'));
    writeFileSync(join(root, 'cdk.out/.cache/asset.zip'), 'zip');
    writeFileSync(join(root, 'cdk.out/read.1.lock'), '');
    expect((await release(['smoke-sandbox'])).code).toBe(0);
  });

  it('needs a build first, and names the steps that make it', async () => {
    expect(await release(['changes-sandbox'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('npm run release -- build fingerprint'),
    });
  });

  it.each([
    [[]],
    [['deploy']],
    [['all', 'items']],
    [['diff', 'cdk.out']],
    [['all', '--force']],
  ])('refuses the command line %j and runs nothing', async (args) => {
    expect(await release(args)).toMatchObject({ code: 2, ran: [] });
  });
});

describe('a release of the local system', () => {
  /** Deploys to a system that gives these states one after the other. */
  async function deployed(states: readonly object[], status = 202) {
    const left = [...states];
    const asked: string[] = [];
    const server = createServer(({ method, url }, answer) => {
      asked.push(`${method} ${url}`);
      const state = method === 'POST' || left.length === 1 ? left[0] : left.shift();
      answer.writeHead(method === 'POST' ? status : 200).end(JSON.stringify(state));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const functions = { provisioning: 'p', ingest: 'i' };
    const system = {
      ...{ port, awsEndpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      functions: { sandbox: functions, production: functions },
    };
    const file = join(root, 'system.json');
    writeFileSync(file, JSON.stringify(system));
    const lines: string[] = [];
    const terminal = { out: (line: string) => lines.push(line), err: () => {} };
    const code = await deployToMachine('EGWP', { terminal, file, everyMs: 1 }).finally(() => server.close());
    return { code, lines, asked };
  }

  it.each([
    ['released', 0],
    ['rolled back', 1],
    ['refused', 1],
  ])('prints each line once, and ends by its outcome: %s', async (outcome, code) => {
    const states = [
      { outcome: 'under way', lines: ['one'] },
      { outcome: 'under way', lines: ['one', 'two'] },
      { outcome, lines: ['one', 'two', 'three'] },
    ];
    const ended = await deployed(states);
    expect(ended).toMatchObject({ code, lines: ['one', 'two', 'three'] });
    expect(ended.asked[0]).toBe('POST /release?first=EGWP');
  });

  it('is not begun twice, nor without a system', async () => {
    await expect(deployed([{ outcome: 'under way', lines: [] }], 409)).rejects.toThrow('is under way');
    const terminal = { out: () => {}, err: () => {} };
    const missing = deployToMachine('EGWP', { terminal, file: join(root, 'none.json') });
    await expect(missing).rejects.toThrow('npm start');
  });
});

describe('the workflow', () => {
  const text = (file: string) => readFileSync(join(repositoryRoot, '.github/workflows', file), 'utf8');
  /** Jobs with their GitHub environment and steps. */
  const jobs = [...text('release.yml').matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)]
    .map(([, name = '', body = '']) => ({
      name,
      environment: / {4}environment: (\S+)/.exec(body)?.[1],
      steps: [...body.matchAll(/run: npm run release -- (\S+)/g)].map(([, id]) => id),
    }))
    .filter(({ steps }) => steps.length > 0);

  it('carries out the steps of the script, in its order', () => {
    expect(jobs.flatMap(({ steps }) => steps)).toEqual(releaseSteps.map(({ id }) => id));
  });

  it('gives a step the credentials of its stage, and deploys only in an environment that can require approval', () => {
    for (const { id, stage, act } of releaseSteps) {
      const environment = jobs.find(({ steps }) => steps.includes(id))?.environment;
      const changesOnly = 'changes' in act && stage === 'production';
      expect([id, environment]).toEqual([id, changesOnly ? `${stage}-review` : stage]);
    }
  });

  it('has no long-lived keys: each job with credentials asks GitHub for a token', () => {
    for (const file of ['release.yml', 'drift.yml']) {
      expect(text(file)).not.toMatch(/aws-access-key-id|secrets\./);
      const withRole = text(file).match(/role-to-assume/g) ?? [];
      expect(text(file).match(/id-token: write/g)).toHaveLength(withRole.length);
    }
  });

  it('looks for drift in every stage', () => {
    expect(text('drift.yml')).toContain('stage: [sandbox, production, portal]');
    expect(driftSteps.map(({ id }) => id)).toEqual(['drift-sandbox', 'drift-production', 'drift-portal']);
  });
});

describe('the roles of the workflow', () => {
  interface Statement {
    readonly Action: string | readonly string[];
    readonly Resource?: unknown;
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  }
  const { Resources } = JSON.parse(
    readFileSync(join(repositoryRoot, 'ops/release/delivery-roles.json'), 'utf8'),
  ) as {
    Resources: Record<
      string,
      { Properties: { AssumeRolePolicyDocument: { Statement: Statement[] }; Policies: unknown } }
    >;
  };

  it.each([
    ['DeliveryRole', ''],
    ['ReviewRole', '-review'],
  ])('%s is assumed by jobs of one environment of one repository only', (name, suffix) => {
    const [statement] = Resources[name]?.Properties.AssumeRolePolicyDocument.Statement ?? [];
    expect(statement?.Condition?.StringEquals).toEqual({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': {
        'Fn::Sub': `repo:\${Repository}:environment:\${Stage}${suffix}`,
      },
    });
  });

  it('have no action with a wildcard, and the reviewing one changes nothing', () => {
    const actions = (name: string) => {
      const text = JSON.stringify(Resources[name]?.Properties.Policies);
      return [...text.matchAll(/"([a-z0-9]+:[A-Z][A-Za-z*]+)"/g)].map(([, action = '']) => action);
    };
    expect(
      [...actions('DeliveryRole'), ...actions('ReviewRole')].filter((each) => each.includes('*')),
    ).toEqual([]);
    const changing = actions('ReviewRole').filter((each) => !/:(Describe|Detect|Get)/.test(each));
    expect(changing).toEqual(['sts:AssumeRole']);
  });
});
