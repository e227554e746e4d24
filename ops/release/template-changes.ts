/** Compares the templates of a release with the deployed ones: resources that change, and rights that functions gain or lose. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
});
const template = z.looseObject({ Resources: z.record(z.string(), resource) });
type Resource = z.infer<typeof resource>;

/** A CloudFormation template, of which only resources matter here. */
export type StackTemplate = z.infer<typeof template>;

/** Templates by the name of their stack. */
export type Templates = ReadonlyMap<string, StackTemplate>;

/** Parses a template, as `cdk synth` writes it and CloudFormation returns it. */
export function parseTemplate(text: string): StackTemplate {
  return template.parse(JSON.parse(text));
}

/** One resource that the release adds, changes or removes. */
export interface TemplateChange {
  readonly stack: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly type: string;
  readonly id: string;
}

/** One right of a function or another holder of a role. */
export interface RightChange {
  readonly holder: string;
  readonly change: 'gains' | 'loses';
  readonly action: string;
  readonly on: string;
}

/** Lists the resources that differ, by stack and ID. A changed bundle changes its function. */
export function templateChanges(deployed: Templates, released: Templates): readonly TemplateChange[] {
  return [...new Set([...deployed.keys(), ...released.keys()])].sort().flatMap((stack) => {
    const before = deployed.get(stack)?.Resources ?? {};
    const after = released.get(stack)?.Resources ?? {};
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((id) => {
      const [old, current] = [before[id], after[id]];
      const type = (current ?? old)?.Type ?? '';
      // CDK's own metadata has no effect.
      if (type === 'AWS::CDK::Metadata' || isDeepStrictEqual(old, current)) return [];
      const change = old === undefined ? 'added' : current === undefined ? 'removed' : 'changed';
      return [{ stack, change, type, id } satisfies TemplateChange];
    });
  });
}

/** Lists the rights that differ: each action of each statement of each role, with its resource and condition. */
export function rightChanges(deployed: Templates, released: Templates): readonly RightChange[] {
  const [before, after] = [rightsIn(deployed), rightsIn(released)];
  const differing = (change: RightChange['change'], from: Rights, than: Rights) =>
    [...from].flatMap(([key, right]) => (than.has(key) ? [] : [{ ...right, change }]));
  return [...differing('gains', after, before), ...differing('loses', before, after)].sort(byText);
}

function byText(one: RightChange, other: RightChange): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

type Rights = ReadonlyMap<string, Omit<RightChange, 'change'>>;

function rightsIn(templates: Templates): Rights {
  const found = new Map<string, Omit<RightChange, 'change'>>();
  for (const [stack, { Resources }] of templates) {
    const holders = holdersOf(Resources);
    for (const [id, each] of Object.entries(Resources)) {
      for (const { role, document } of policiesOf(id, each)) {
        const holder = `${stack} ${holders.get(role) ?? plainId(role)}`;
        for (const right of rightsOf(document))
          found.set(JSON.stringify([holder, right]), { holder, ...right });
      }
    }
  }
  return found;
}

/** The function of each role; a role without one is named by itself. */
function holdersOf(resources: Readonly<Record<string, Resource>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
      if (Type !== 'AWS::Lambda::Function') return [];
      const { FunctionName: name, Role } = Properties;
      return [[plainText(Role), typeof name === 'string' ? name : plainId(id)] as const];
    }),
  );
}

function policiesOf(id: string, { Type, Properties = {} }: Resource) {
  if (Type === 'AWS::IAM::Role') {
    const inline = (Properties.Policies ?? []) as readonly { readonly PolicyDocument: unknown }[];
    return inline.map(({ PolicyDocument }) => ({ role: plainId(id), document: PolicyDocument }));
  }
  if (Type !== 'AWS::IAM::ManagedPolicy' && Type !== 'AWS::IAM::Policy') return [];
  return ((Properties.Roles ?? []) as readonly unknown[]).map((role) => ({
    role: plainText(role),
    document: Properties.PolicyDocument,
  }));
}

interface Statement {
  readonly Effect?: string;
  readonly Action?: string | readonly string[];
  readonly Resource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function rightsOf(document: unknown): readonly { readonly action: string; readonly on: string }[] {
  const { Statement: statements = [] } = (document ?? {}) as { readonly Statement?: readonly Statement[] };
  return statements.flatMap(({ Effect, Action = [], Resource: on, Condition = {} }) => {
    const where = Object.entries(Condition).flatMap(([operator, tests]) =>
      Object.entries(tests).map(([key, value]) => `${key} ${operator} ${listText(value)}`),
    );
    const place = `${listText(on)}${where.length === 0 ? '' : ` where ${where.join(' and ')}`}`;
    return [Action].flat().map((action) => ({
      action: Effect === 'Deny' ? `denial of ${action}` : action,
      on: place,
    }));
  });
}

function listText(value: unknown): string {
  return [value].flat().map(plainText).sort().join(', ');
}

/** Text of a template's value: an intrinsic function stands for the ID of its resource. */
function plainText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = ['', undefined]] = Object.entries(value);
  if (name === 'Ref') return plainId(String(argument));
  if (name === 'Fn::GetAtt') return plainId(String([argument].flat()[0]));
  if (name === 'Fn::ImportValue') {
    // The name of an export is made of the resource's ID, the attribute and a further hash.
    return plainText(argument).replace(
      /^.*ExportsOutput(?:Ref|FnGetAtt)(.+?)(?:[0-9A-F]{8})?(?:Arn)?[0-9A-F]{8}$/,
      '$1',
    );
  }
  if (name === 'Fn::Join') return ((argument as [string, unknown[]])[1] ?? []).map(plainText).join('');
  return JSON.stringify(value);
}

/** A logical ID without the hash that CDK appends. */
function plainId(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}
