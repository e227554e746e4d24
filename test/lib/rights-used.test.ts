import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../bin/bundle.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { configuredApp } from './configured-app.ts';
import { resources, type Template, template } from './synthesized-app.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: { readonly StringEquals?: Readonly<Record<string, string>> };
}

/** IAM prefix of the service that a client of the SDK calls. */
const services: Readonly<Record<string, string>> = {
  'client-cloudwatch-logs': 'logs',
  'client-cognito-identity-provider': 'cognito-idp',
  'client-kms': 'kms',
  'client-lambda': 'lambda',
  'client-s3': 's3',
  'client-secrets-manager': 'secretsmanager',
  'client-sfn': 'states',
  'client-ses': 'ses',
  'client-sns': 'sns',
};

/** IAM actions of API Gateway's control plane, which are HTTP methods, by the SDK's command. */
const controlPlane: readonly (readonly [command: RegExp, action: string])[] = [
  [/^Create/, 'POST'],
  [/^Update/, 'PATCH'],
  [/^Delete/, 'DELETE'],
  [/^Get/, 'GET'],
];

/** The table's adapters can make every call, so their sources are left out: the stores' sources tell which calls a function makes. */
const adapters = ['table', 'dynamodb-table', 'dynamodb-call', 'sdk-table', 'signed-table'].map(
  (name) => `lambdas/platform/table/${name}.ts`,
);

/** Pattern by which a store's source asks for each action on items. */
const asks: readonly (readonly [action: string, how: RegExp])[] = [
  ['Query', /\.query\(/],
  ['PutItem', /\bput\b/],
  ['UpdateItem', /\.update\(\{|\bupdate: |\bupdate,|\{ update \}|\battributes: \{/],
  ['DeleteItem', /\bdelete: /],
  ['ConditionCheckItem', /\bcheck: /],
  ['Scan', /\bsend\('Scan'/],
];

/** The IAM actions that the sources need. */
function actionsIn(sources: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const source of sources) {
    if (/\bsend\('GetSecretValue'/.test(source)) found.add('secretsmanager:GetSecretValue');
    for (const [, names = '', client = ''] of source.matchAll(
      /import \{([^}]*)\} from '@aws-sdk\/([\w-]+)'/g,
    )) {
      for (const [, paginated, command = paginated ?? ''] of names.matchAll(
        /\b(?:paginate(\w+)|(\w+)Command)\b/g,
      )) {
        if (client === 'client-api-gateway') {
          const [, method] = controlPlane.find(([pattern]) => pattern.test(command)) ?? [];
          found.add(`apigateway:${method}`);
          if (/^Create/.test(command) && /\btags\b/.test(source)) found.add('apigateway:PUT');
        } else if (services[client] !== undefined) {
          found.add(`${services[client]}:${command === 'Invoke' ? 'InvokeFunction' : command}`);
          // S3 needs another right for a version, and `ListBucket` to answer 404 for a missing object.
          if (command === 'GetObject' && /\bVersionId\b/.test(source)) found.add('s3:GetObjectVersion');
          if (/^(?:HeadObject|ListObjectsV2)$/.test(command) || /\bNoSuchKey\b/.test(source))
            found.add('s3:ListBucket');
        }
      }
    }
  }
  return found;
}

function actionsOnItemsIn(sources: readonly string[]): Set<string> {
  const used = asks.filter(([, how]) => sources.some((source) => how.test(source)));
  return new Set(
    ['GetItem', 'BatchGetItem', ...used.map(([action]) => action)].map((each) => `dynamodb:${each}`),
  );
}

/** The repository's sources in each function's bundle, by the function's name. */
let bundles: ReadonlyMap<string, readonly (readonly [name: string, source: string])[]>;
let templates: ReadonlyMap<string, Template>;
beforeAll(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'member-data-rights-'));
  const { outputs } = await bundle({ outdir });
  rmSync(outdir, { recursive: true, force: true });
  // A function may have further files beside its bundle, which it loads on first use.
  bundles = Map.groupBy(
    Object.entries(outputs).flatMap(([path, { inputs }]) =>
      Object.entries(inputs)
        .filter(([input, { bytesInOutput }]) => bytesInOutput > 0 && input.startsWith('lambdas/'))
        .filter(([input]) => !adapters.includes(input))
        .map(
          ([input]) => [basename(dirname(path)), readFileSync(join(repositoryRoot, input), 'utf8')] as const,
        ),
    ),
    ([name]) => name,
  );
  // The key is required here, since the token host has an authorizer only then.
  templates = configuredApp({ subscriptionKey: 'required' }).templates;
});

/**
 * Policies of the state machines, of the rule that starts a load, of S3's replication and of CodeDeploy, which test/lib/loads/loads-stack.test.ts,
 * jobs.test.ts, audit-archive.test.ts and gradual-release.test.ts check.
 */
const ofOtherServices =
  /^(Loads(Logging|Rule)?|Functions(Jobs|ExchangeMachine|Release)|AuditFilesReplication|Uploader[A-Z]+)Policy/;

/** The policies of all functions: the function's name, the stack, and the statements. */
function policies(): readonly (readonly [name: string, stack: string, statements: readonly Statement[]])[] {
  return [...templates].flatMap(([stack, each]) =>
    Object.entries(each.Resources)
      .filter(([id, { Type }]) => Type === 'AWS::IAM::ManagedPolicy' && !ofOtherServices.test(id))
      .map(([id, { Properties: properties }]) => {
        const { Statement: statements } = properties.PolicyDocument as { readonly Statement: Statement[] };
        const own = id.replace(/^(Functions|Signing)/, '').replace(/(Table)?Policy[0-9A-F]{8}$/, '');
        return [own.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(), stack, statements] as const;
      }),
  );
}

const actionsOf = ({ Action }: Statement) => [Action].flat() as string[];

describe('the rights of a function', () => {
  it('are found for every function', () => {
    expect([...new Set(policies().map(([name]) => name))].sort()).toEqual([...bundles.keys()].sort());
  });

  it('are looked for in all sources but the adapters, which are where they are said to be', () => {
    expect(adapters.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  });

  it('are used by what is in its bundle, each of them', () => {
    const unused = policies().flatMap(([name, stack, statements]) => {
      const sources = (bundles.get(name) ?? []).map(([, source]) => source);
      const used = new Set([
        ...actionsIn(sources),
        ...actionsOnItemsIn(sources),
        'logs:CreateLogStream',
        'logs:PutLogEvents',
      ]);
      return statements
        .filter(({ Effect, Condition }) => Effect === 'Allow' && !Condition?.StringEquals?.['kms:ViaService'])
        .flatMap(actionsOf)
        .filter((action) => !used.has(action))
        .map((action) => `${stack} ${name} ${action}`);
    });
    expect(unused).toEqual([]);
  });

  it('name an action and a resource, but for a text, which has none', () => {
    const wide = policies().flatMap(([name, stack, statements]) =>
      statements
        .filter(({ Effect }) => Effect === 'Allow')
        .filter((each) => actionsOf(each).some((action) => action.includes('*')) || each.Resource === '*')
        .map((each) => `${stack} ${name} ${actionsOf(each).join(' ')}`),
    );
    expect(wide.sort()).toEqual([
      'portal/Site portal-accounts sns:Publish',
      'sandbox/Authorization activation sns:Publish',
      'sandbox/Authorization authorize sns:Publish',
    ]);
  });

  it('never reach to other functions, but from the portal to those of environments that are named by contract, from sign-in to activation, and to the build of the directory', () => {
    const invoking = policies().flatMap(([name, stack, statements]) =>
      statements
        .filter((each) => actionsOf(each).some((action) => /^(lambda|iam|sts):/.test(action)))
        .map((each) => [`${stack} ${name}`, actionsOf(each), each.Resource] as const),
    );
    expect(invoking.map(([who]) => who).sort()).toEqual([
      'portal/Data portal-outbox-worker',
      'portal/Site application-operations',
      'portal/Site portal-applications',
      'portal/Site portal-operations',
      'sandbox/Authorization authorize',
      'sandbox/Directory directory-operations',
    ]);
    for (const [who, actions, on] of invoking) {
      expect(actions).toEqual(['lambda:InvokeFunction']);
      if (who.endsWith('authorize')) {
        expect(JSON.stringify(on)).toMatch(/FunctionsActivationFunction\w+/);
        continue;
      }
      if (who.endsWith('directory-operations')) {
        expect(JSON.stringify(on)).toMatch(/DirectoryBuildFunction\w+/);
        continue;
      }
      const names = who.endsWith('portal-operations')
        ? '(provisioning|(job|directory|load)-operations)'
        : 'provisioning';
      const name = new RegExp(`:function:member-data-\\w+-${names}$`);
      for (const each of [on].flat()) expect(each).toMatch(name);
    }
  });

  it('are for Lambda alone to take on, and those of other services for these services alone, for this account', () => {
    for (const [stack, each] of templates) {
      for (const [id, { Type, Properties: properties }] of Object.entries(each.Resources)) {
        if (Type !== 'AWS::IAM::Role') continue;
        const trust = JSON.stringify(properties.AssumeRolePolicyDocument);
        expect(trust, stack).toMatch(
          /"Principal":\{"Service":"(lambda|apigateway|codedeploy|states|events|backup|s3)\.amazonaws\.com"\}/,
        );
        // CDK makes the role of the function that deploys pages.
        if (!id.startsWith('CustomCDKBucketDeployment')) {
          expect(trust, `${stack} ${id}`).toMatch(/"aws:SourceAccount":"\d{12}"/);
        }
      }
    }
  });
});

describe('a key', () => {
  it('may be used by no service but those that keep logs and raise alarms', () => {
    const granted = [...templates.keys()].flatMap((stack) =>
      resources(template(templates, stack), 'AWS::KMS::Key').flatMap(({ Properties: { KeyPolicy } }) =>
        (KeyPolicy as { readonly Statement: readonly { readonly Principal: object }[] }).Statement.map(
          ({ Principal }) => JSON.stringify(Principal),
        ).filter((principal) => principal.includes('Service')),
      ),
    );
    expect(granted.length).toBeGreaterThan(0);
    for (const each of granted) expect(each).toMatch(/"(logs\.[\w-]+|cloudwatch)\.amazonaws\.com"/);
  });

  it('and the topic of alarms serve a service for this account only', () => {
    const documents = [...templates.values()].flatMap((each) => [
      ...resources(each, 'AWS::KMS::Key').map(({ Properties: { KeyPolicy } }) => KeyPolicy),
      ...resources(each, 'AWS::SNS::TopicPolicy').map(({ Properties: { PolicyDocument } }) => PolicyDocument),
    ]) as readonly { readonly Statement: readonly Record<string, unknown>[] }[];
    const ofServices = documents
      .flatMap(({ Statement }) => Statement)
      .filter(({ Principal }) => JSON.stringify(Principal).includes('"Service"'));
    // The keys of alarms, topics and logs of two stages.
    expect(ofServices.length).toBeGreaterThanOrEqual(6);
    for (const { Condition } of ofServices)
      expect(JSON.stringify(Condition)).toMatch(/"aws:SourceAccount":"\d{12}"/);
  });
});
