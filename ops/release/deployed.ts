/** Reads the templates that are deployed in an AWS account. */

import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { InvocationFailed } from '../command-line/invoke.ts';
import type { AssemblyStack } from './assembly.ts';
import { parseTemplate, type Templates } from './template-changes.ts';

/**
 * Reads the deployed templates of stacks, with the process's AWS credentials. A stack that does not exist has none.
 *
 * @throws InvocationFailed if AWS refuses or gives no answer.
 */
export async function deployedTemplates(stacks: readonly AssemblyStack[]): Promise<Templates> {
  const found: (readonly [string, ReturnType<typeof parseTemplate>])[] = [];
  for (const { name, region } of stacks) {
    const client = new CloudFormationClient({ region });
    try {
      const answer = await client.send(
        new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }),
      );
      found.push([name, parseTemplate(answer.TemplateBody ?? '{"Resources":{}}')]);
    } catch (error) {
      const { message = '', name: kind = 'Error' } = error as Partial<Error>;
      if (/does not exist/.test(message)) continue;
      throw new InvocationFailed(
        `the deployed template of ${name} can't be read: ${kind}: ${message}. It needs credentials of the stage's account with cloudformation:GetTemplate`,
      );
    }
  }
  return new Map(found);
}
