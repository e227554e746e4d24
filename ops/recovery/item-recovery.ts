/**
 * The table of what becomes of each kind of item when an environment's table is restored to an earlier second
 * (docs/decisions/0070-restore-data-and-keep-what-was-decided-since.md). docs/recovery.md shows it.
 */

/**
 * The table that an item of a restore comes from: the `restored` one, with the content of the earlier second, or the `newest`, with what was
 * decided since. Items of a `record` come from both; nothing of it is removed.
 */
type Source = 'restored' | 'newest' | 'record';

interface ItemRecovery {
  /** Name of the items for a person. */
  readonly what: string;
  readonly from: Source;
  /** Whether the items give access to members' data, so that they are removed where the newest table is lost too. */
  readonly givesAccess?: true;
}

/** Kinds of items, by the first word of their partition key after the line of business; `ENDS` is in the partitions of grants, as the last. */
const table = {
  AUDIT: { what: 'audit events', from: 'record' },
  SEAL: { what: 'seals over the audit trail', from: 'record' },
  // The archive's files can't be replaced, so that the next one must follow the newest.
  ARCHIVE: { what: 'positions of the audit archive', from: 'record' },

  CLIENT: { what: 'applications, with their state and secrets', from: 'newest' },
  APPLICATION: { what: 'applications of a line of business', from: 'newest' },
  KEY: { what: 'subscription keys', from: 'newest' },
  SECRET: { what: 'last uses of client secrets', from: 'newest' },
  REQUEST: { what: 'completed requests of registration', from: 'newest' },
  JWKS: { what: 'public signing keys', from: 'newest' },
  GRANT: { what: 'grants', from: 'newest', givesAccess: true },
  // They refuse a payer that presents an old Consent again, so that they must stay.
  ENDS: { what: 'ends of payers’ permissions', from: 'newest' },
  REFRESH: { what: 'refresh tokens', from: 'newest', givesAccess: true },
  CODE: { what: 'authorization codes', from: 'newest', givesAccess: true },
  ASSERTION: { what: 'used client assertions', from: 'newest' },
  INTERACTION: { what: 'sign-ins in progress', from: 'newest', givesAccess: true },
  SESSION: { what: 'sessions of browsers', from: 'newest', givesAccess: true },
  SESSIONS: { what: 'session epochs of accounts', from: 'newest' },
  DISABLED: { what: 'disabled accounts', from: 'newest' },
  ACCOUNT: { what: 'links of accounts, by user name', from: 'newest' },
  MEMBER: { what: 'links of accounts to patients', from: 'newest' },
  REPRESENTATIVE: { what: 'personal representatives', from: 'newest' },
  BROWSER: { what: 'known browsers', from: 'newest', givesAccess: true },
  RATE: { what: 'counters of attempts', from: 'newest' },
  MATCHED: { what: 'members that payers matched', from: 'newest' },
  GROUP: { what: 'groups of payers', from: 'newest' },
  JOB: { what: 'jobs of payers', from: 'newest' },
  JOBS: { what: 'list of jobs', from: 'newest' },
  'JOB-LINE': { what: 'line of jobs', from: 'newest' },
  'JOB-QUOTA': { what: 'jobs of an application that have not ended', from: 'newest' },

  // An exchange that a member ended must not be carried on, and one that was asked must not be counted as late.
  EXCHANGE: { what: 'exchanges with other payers', from: 'newest' },
  'EXCHANGE-DUE': { what: 'list of exchanges that have something to do', from: 'newest' },
  'OTHER-PAYERS': { what: 'other payers, as operators reviewed them', from: 'newest' },

  'EXCHANGE-RUN': { what: 'runs with other payers', from: 'newest' },
  'EXCHANGE-RUNS': { what: 'list of runs with other payers', from: 'newest' },

  PATIENT: { what: 'members’ resources, their labels and search index', from: 'restored' },
  'MEMBER-ID': { what: 'member identifiers', from: 'restored' },
  SHARED: { what: 'resources that members share', from: 'restored' },
  LOAD: { what: 'ledger of loads', from: 'restored' },
  LOADS: { what: 'list of loads', from: 'restored' },
  FRESHNESS: { what: 'freshness clocks', from: 'restored' },
  DIRECTORY: { what: 'Provider Directory, and its builds', from: 'restored' },
} as const satisfies Readonly<Record<string, ItemRecovery>>;

export type ItemKind = keyof typeof table;

export const itemRecovery: Readonly<Record<ItemKind, ItemRecovery>> = table;

/** Partitions without a line of business before their kind. */
const global = ['AUDIT', 'SEAL', 'ARCHIVE', 'CLIENT', 'REQUEST', 'OTHER-PAYERS'];

/** An item has a partition that the table does not know, so that nobody decided what a restore does with it. */
export class UnknownItemKind extends Error {
  override readonly name = 'UnknownItemKind';

  constructor(partition: string) {
    const [kind = ''] =
      partition
        .split('#')
        .slice(0, 2)
        .join('#')
        .match(/^[\w#-]+/) ?? [];
    super(
      `The table has items of the unknown kind ${kind}. Expected one of ops/recovery/item-recovery.ts. Use the release that wrote the table.`,
    );
  }
}

/**
 * The kind of an item, by its partition key.
 *
 * @throws UnknownItemKind
 */
export function itemKind(partition: string): ItemKind {
  const [first = '', second = ''] = partition.split('#');
  const named = global.includes(first) ? first : second;
  const kind = named === 'GRANT' && partition.endsWith('#ENDS') ? 'ENDS' : named;
  if (Object.hasOwn(itemRecovery, kind)) return kind as ItemKind;
  throw new UnknownItemKind(partition);
}
