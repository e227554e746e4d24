/** Purposes for which operators may ask who accessed which data, with their grounds in HIPAA (45 CFR part 164). */
export const questionPurposes = {
  accounting: 'a member asks to whom data was disclosed (164.528)',
  complaint: 'a complaint about privacy (164.530(d))',
  incident: 'a suspected security incident or breach (164.308(a)(6), 164.402)',
  review: 'the regular review of system activity (164.308(a)(1)(ii)(D))',
} as const satisfies Readonly<Record<string, string>>;

export type QuestionPurpose = keyof typeof questionPurposes;

export const questionPurposeNames = Object.keys(questionPurposes) as [QuestionPurpose, ...QuestionPurpose[]];
