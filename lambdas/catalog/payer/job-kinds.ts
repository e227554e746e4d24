/** Table of the kinds of asynchronous jobs of Payer Access, and their limits. */

interface JobKindRow {
  /** Name of the job for operators, and in the text of its progress. */
  readonly title: string;
  /** Members that one invocation processes. */
  readonly membersInPart: number;
}

/** Kinds of jobs. The work of each is defined where the function of the state machine is composed. */
export const jobKinds = {
  'member-match': { title: 'match of members', membersInPart: 100 },
  export: { title: 'export of a group', membersInPart: 50 },
} as const satisfies Readonly<Record<string, JobKindRow>>;

export type JobKind = keyof typeof jobKinds;
export const jobKindNames = Object.keys(jobKinds) as [JobKind, ...JobKind[]];

export const jobLimits = {
  /** Maximum jobs of one application that are accepted or running. */
  activeJobs: 5,
  /**
   * Maximum parts of a LOB's jobs that are carried out at once: the reserved concurrency of `payer-jobs`. As many jobs run at once, each
   * with one part.
   */
  partsAtOnce: 3,
  /** Maximum members in one request. */
  members: 10_000,
  /** Maximum bytes of an operation's request body. Escaped as a JSON string it must fit into the 6 MB of an invocation. */
  bodyBytes: 4_000_000,
  /** Seconds that a job and its files can be read, after the job was accepted. */
  jobSeconds: 48 * 60 * 60,
  /** Seconds that a group of matched members can be exported. */
  groupSeconds: 30 * 24 * 60 * 60,
  /** Seconds that the signed address of a file is valid. */
  fileAddressSeconds: 60,
  /** Bytes of NDJSON after which another file is begun. */
  fileBytes: 32 * 1024 * 1024,
} as const;
