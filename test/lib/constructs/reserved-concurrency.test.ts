import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  checkReservedConcurrency,
  type DeployedStage,
} from '../../../lib/constructs/reserved-concurrency.ts';
import { repositoryRoot } from '../../architecture/imports.ts';
import { ownFunctions, resources, synthesizeApp, type Template } from '../synthesized-app.ts';

const here = { account: '111122223333', region: 'us-east-1' };

/**
 * A stage with one function.
 *
 * @param place other account or Region than the default
 */
function stageOf(app: App, id: string, reserved: number, place: Partial<DeployedStage> = {}): DeployedStage {
  const stage = new Stage(app, id, { env: here });
  const handler = 'index.handler';
  const code = Code.fromInline('exports.handler = async () => 1;');
  new LambdaFunction(new Stack(stage, 'Stack'), 'Function', {
    runtime: Runtime.NODEJS_24_X,
    handler,
    code,
    reservedConcurrentExecutions: reserved,
  });
  return { stage, ...here, lambdaConcurrency: 1_000, ...place };
}

const refusal = (placed: readonly DeployedStage[]) => {
  try {
    checkReservedConcurrency(placed);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

describe('what the functions of an account reserve', () => {
  it('leaves a hundred to others', () => {
    expect(refusal([stageOf(new App(), 'sandbox', 900)])).toBeUndefined();
    expect(refusal([stageOf(new App(), 'sandbox', 901)])).toMatch(
      /functions of sandbox reserve 901 .* but account 111122223333 in us-east-1 has 1000/,
    );
  });

  it('is reckoned up over all that share the account and the Region', () => {
    const app = new App();
    const sandbox = stageOf(app, 'sandbox', 500);
    expect(refusal([sandbox, stageOf(app, 'production', 500)])).toMatch(
      /functions of sandbox, production reserve 1000 /,
    );
    expect(refusal([sandbox, stageOf(app, 'elsewhere', 500, { region: 'us-west-2' })])).toBeUndefined();
    expect(refusal([sandbox, stageOf(app, 'other', 500, { account: '444455556666' })])).toBeUndefined();
  });

  it('is nothing in a new account where the configuration says so', () => {
    const app = new App();
    expect(refusal([stageOf(app, 'small', 2, { lambdaConcurrency: 10 })])).toMatch(
      /has 10\. Request a higher quota/,
    );
    const unreserved = stageOf(app, 'unreserved', 2, { lambdaConcurrency: 'unreserved' });
    expect(refusal([unreserved])).toBeUndefined();
    const [stack] = unreserved.stage.synth().stacks;
    const [made] = resources(stack?.template as Template, 'AWS::Lambda::Function');
    expect(made?.Properties.ReservedConcurrentExecutions).toBeUndefined();
  });

  it('fits as it is configured, and is what the runbook has quotas raised for', () => {
    const reserved = (stage: string) =>
      [...synthesizeApp()]
        .filter(([stack]) => stack.startsWith(`${stage}/`))
        .flatMap(([, each]) => ownFunctions(each))
        .reduce((sum, { Properties: { ReservedConcurrentExecutions: one } }) => sum + Number(one), 0);
    const runbook = readFileSync(join(repositoryRoot, 'docs/runbook.md'), 'utf8');
    const [, environment, portal] = /An environment reserves (\d+) and the portal (\d+)/.exec(runbook) ?? [];
    expect([reserved('sandbox'), reserved('portal')]).toEqual([Number(environment), Number(portal)]);
  });
});
