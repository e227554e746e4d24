/** Request and response of the function `operator-record`: the acts of an operator, for a privacy officer's question (`ops audit operator`). */

import * as z from 'zod/mini';
import { questionPurposeNames } from '../../catalog/audit/question-purposes.ts';
import type { OperatorActsView } from './operator-views.ts';

/** ID of an operator's account, or `command-line:` and the name that the operator gave there, in lowercase. */
const operator = z.string().check(z.regex(/^[\p{L}\p{N}_.@:+ -]{1,128}$/u));

/** Request for an operator's acts between two times, newest first, in pages. */
export const operatorRecordRequest = z.strictObject({
  operatorId: operator,
  from: z.iso.datetime({ precision: 3 }),
  /** Exclusive. */
  until: z.iso.datetime({ precision: 3 }),
  /** The operator who asks, among whose acts the question and its purpose are recorded. */
  askedBy: operator,
  purpose: z.enum(questionPurposeNames),
  /** `next` of the previous page. */
  after: z.optional(z.string()),
});
export type OperatorRecordRequest = z.infer<typeof operatorRecordRequest>;

export type OperatorRecordAnswer = OperatorActsView;
