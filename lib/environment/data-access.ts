/** IAM policies of functions on the table, the pool, secrets and keys. */

import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { SigningKeyOwner, TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';

/** The stack a table is in: an environment's, or the portal's. */
export interface TableOwner {
  readonly region: string;
  readonly table: TableV2;
  readonly tableKey: IKey;
}

/** The stack an environment's signing secrets are in. */
export interface SigningSecretOwner {
  readonly region: string;
  readonly secretsKey: IKey;
  signingSecret(owner: SigningKeyOwner): { readonly secretArn: string };
}

/** DynamoDB actions of one purpose. A transaction needs the actions of its parts. */
export const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] as const;
/** Reading of single items by their full key. */
export const lookUpActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'] as const;
export const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
] as const;
/** Actions on audit events, which are never changed: no role has more than this and reading on `AUDIT#…`. */
export const addActions = ['dynamodb:PutItem'] as const;

export type TableAction = (typeof readActions | typeof writeActions)[number];

/**
 * Allows actions on the items of the owner's table whose partition keys match one of the patterns (`DSNP#*`), and on no
 * other item.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function itemStatement(
  data: TableOwner,
  actions: readonly TableAction[],
  partitions: readonly string[],
): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [data.table.tableArn],
    conditions: leadingKeys(partitions),
  });
}

const everyKeyIsLike = 'ForAllValues:StringLike';

function leadingKeys(partitions: readonly string[]) {
  return { [everyKeyIsLike]: { 'dynamodb:LeadingKeys': [...partitions] } };
}

/**
 * Merges statements into one for each action on a table's items. AWS does not document whether it authorizes a transaction
 * item by item or per action; per action, one statement has to name all the partitions
 * (docs/decisions/0017-limit-roles-by-partition.md).
 */
export function mergeByAction(statements: readonly PolicyStatement[]): {
  readonly onItems: readonly PolicyStatement[];
  readonly others: readonly PolicyStatement[];
} {
  const onItems = statements.filter(isOnItems);
  const tables = Map.groupBy(onItems, ({ resources }) => String(resources));
  const merged = [...tables.values()].flatMap((ofTable) => {
    const actions = [...new Set(ofTable.flatMap(({ actions }) => actions))];
    const allowed = actions.map((action) => {
      const holding = ofTable.filter(({ actions }) => actions.includes(action));
      return { action, partitions: [...new Set(holding.flatMap(partitionsOf))].sort() };
    });
    const [{ resources = [] } = {}] = ofTable;
    return [...Map.groupBy(allowed, ({ partitions }) => String(partitions)).values()].map(
      (same) =>
        new PolicyStatement({
          actions: same.map(({ action }) => action),
          resources,
          conditions: leadingKeys(same[0]?.partitions ?? []),
        }),
    );
  });
  return { onItems: merged, others: statements.filter((each) => !isOnItems(each)) };
}

function partitionsOf({ conditions }: PolicyStatement): readonly string[] {
  return conditions[everyKeyIsLike]?.['dynamodb:LeadingKeys'] ?? [];
}

function isOnItems(statement: PolicyStatement): boolean {
  return partitionsOf(statement).length > 0;
}

/** Patterns of several authorities' partitions: `partitionPatterns(['DSNP'], ['KEY#*'])` is `DSNP#KEY#*`. */
export function partitionPatterns(
  authorities: readonly SigningKeyOwner[],
  kinds: readonly string[],
): string[] {
  return authorities.flatMap((authority) => kinds.map((kind) => `${authority}#${kind}`));
}

/** Partitions of the session epochs of accounts, in all LOBs together. */
export const accountSessions = 'MEMBERS#SESSIONS#*';

/** Partition of the accounts that are disabled in the user pool, in all LOBs together. */
export const disabledAccounts = 'MEMBERS#DISABLED';

/** Patterns of the audit events of several authorities. */
export function auditPatterns(authorities: readonly TokenIssuer[]): string[] {
  return authorities.map((authority) => `AUDIT#${authority}#*`);
}

/** Patterns of the audit events about patients. */
export function patientAuditPatterns(authorities: readonly TokenIssuer[]): string[] {
  return authorities.map((authority) => `AUDIT#${authority}#PATIENT#*`);
}

/** Patterns of the audit events about applications. */
export function clientAuditPatterns(authorities: readonly TokenIssuer[]): string[] {
  return authorities.map((authority) => `AUDIT#${authority}#CLIENT#*`);
}

/** Allows use of the table's encryption key, through DynamoDB only. */
export function tableKeyStatement(data: TableOwner): PolicyStatement {
  return keyStatement(data, data.tableKey, 'dynamodb', [
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
  ]);
}

/** Allows reading the private signing keys of some owners. */
export function signingKeyStatements(
  data: SigningSecretOwner,
  owners: readonly SigningKeyOwner[],
): PolicyStatement[] {
  return secretStatements(
    data,
    owners.map((owner) => data.signingSecret(owner).secretArn),
  );
}

/** Allows reading secrets that the environment's key for secrets encrypts. */
export function secretStatements(
  data: Pick<SigningSecretOwner, 'region' | 'secretsKey'>,
  secretArns: readonly string[],
): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [...secretArns] }),
    keyStatement(data, data.secretsKey, 'secretsmanager', ['kms:Decrypt']),
  ];
}

export function keyStatement(
  { region }: { readonly region: string },
  key: IKey,
  service: string,
  actions: readonly string[],
): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` } },
  });
}
