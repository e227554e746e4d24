/**
 * Interfaces that activation of an account needs: contact data, codes, accounts and limits. Adapters in `authorization/aws` and
 * `authorization/store` implement them.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { ContactData, ContactPlace } from '../../platform/kernel/contact-data.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { MemberContact, VerificationServices } from '../authorize/verification-code.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import type { ActivationStore } from './activation.ts';

/** Contact data of a member, or of a personal representative who is no member, and where codes can be sent. */
export interface FoundContact {
  readonly isRepresentative: boolean;
  readonly place: ContactPlace;
  readonly data: ContactData;
  readonly reachable: MemberContact;
}

/** A link from an account to a patient, or to a personal representative who is no member. */
export type AccountLink = {
  readonly lob: LineOfBusiness;
  /** Identifier in the plan's spelling. */
  readonly memberId: string;
} & ({ readonly isRepresentative: false; readonly patientId: string } | { readonly isRepresentative: true });

/** Accounts in the environment's user pool, by user name. Adapter: `lambdas/authorization/aws/activated-accounts.ts`. */
export interface ActivatedAccounts {
  /**
   * Creates the account if it does not exist. `hasPassword`: a password has been chosen for it before. `unusable`: the pool accepts no such
   * user name.
   */
  ensure(username: string): Promise<
    | {
        readonly kind: 'account';
        readonly sub: string;
        readonly enabled: boolean;
        readonly hasPassword: boolean;
      }
    | { readonly kind: 'unusable' }
  >;
  setPassword(username: string, password: string): Promise<void>;
}

/** Links of accounts to patients and to representatives. Adapter: `lambdas/authorization/store/account-links.ts`. */
export interface AccountLinks {
  /** Finds the account's links in every LOB, and the number of links added under the user name so far. */
  find(
    sub: string,
    username: string,
  ): Promise<{ readonly links: readonly AccountLink[]; readonly added: number }>;
  /**
   * Adds a link and ends the account's sessions. An existing link may be added again.
   *
   * @param added number of links that `find` returned.
   * @returns false if a link was added since then.
   */
  add(
    link: AccountLink & { readonly sub: string; readonly username: string; readonly displayName: string },
    added: number,
  ): Promise<boolean>;
}

export interface ActivationServices {
  readonly environment: Environment;
  readonly store: ActivationStore;
  readonly contactOf: (lob: LineOfBusiness, memberId: string) => Promise<FoundContact | undefined>;
  readonly messages: Pick<VerificationServices, 'send' | 'mac' | 'rates'>;
  readonly accounts: ActivatedAccounts;
  readonly links: AccountLinks;
  readonly sessionEpochOf: (sub: string) => Promise<number>;
  readonly isKnownPassword: (password: string, own: readonly string[]) => boolean;
  readonly audit: AuditTrail;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Clock;
}
