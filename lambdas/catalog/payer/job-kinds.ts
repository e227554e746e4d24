/** Table of the kinds of asynchronous jobs of Payer Access, and their limits. */

interface JobKindRow {
  /** The job in words, for operators and for the text of its progress. */
  readonly title: string;
  /** Members that one invocation carries out. */
  readonly membersInPart: number;
}

/** Kinds of jobs. The work of a kind is defined where the function of the state machine is composed. */
export const jobKinds = {
  'member-match': { title: 'match of members', membersInPart: 100 },
  export: { title: 'export of a group', membersInPart: 50 },
} as const satisfies Readonly<Record<string, JobKindRow>>;

export type JobKind = keyof typeof jobKinds;
export const jobKindNames = Object.keys(jobKinds) as [JobKind, ...JobKind[]];

export const jobLimits = {
  /** Jobs of one application that are accepted or running. */
  activeJobs: 5,
  /** Parts of a LOB's jobs that are carried out at once, which is the concurrency of its function; so many jobs run at once, with a part each. */
  partsAtOnce: 3,
  /** Members in one request. */
  members: 10_000,
  /** Bytes of the body of an operation: with its escapes it has to fit into the 6 MB of an invocation of a function. */
  bodyBytes: 4_000_000,
  /** A job and its files can be read for this long after it was accepted. */
  jobSeconds: 48 * 60 * 60,
  /** A group of matched members can be exported for this long. */
  groupSeconds: 30 * 24 * 60 * 60,
  /** Lifetime of the signed address a file is read from. */
  fileAddressSeconds: 60,
  /** Bytes of NDJSON after which a file is followed by another. */
  fileBytes: 32 * 1024 * 1024,
} as const;
