/** Extracts the person, the phones and the stored record from a sign-up form of any developer type. */

import type { SignUp } from '../api/accounts.ts';
import { e164 } from '../api/fields.ts';

/** The person who signs in with a new account, from any of the forms. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
  readonly company: string;
  readonly username?: string;
}

export function personOf(body: SignUp): Person {
  const username = body.username === undefined ? {} : { username: body.username };
  switch (body.developerType) {
    case 'individual': {
      const { firstName, lastName, email, company, mobilePhone } = body;
      return { firstName, lastName, email, company, phone: e164(mobilePhone), ...username };
    }
    case 'classic': {
      const { firstName, lastName, email, companyName, contactPhone } = body;
      return { firstName, lastName, email, company: companyName, phone: e164(contactPhone), ...username };
    }
    case 'payer':
    case 'brokerage': {
      const { firstName, lastName, email, phone } = body.primaryContact;
      return { firstName, lastName, email, company: body.companyLegalName, phone: e164(phone), ...username };
    }
  }
}

/** Lists the phones of a form. `texts`: whether codes are sent to the phone by text message. */
export function phonesOf(
  body: SignUp,
): readonly { readonly pointer: string; readonly phone: string; readonly texts: boolean }[] {
  switch (body.developerType) {
    case 'individual':
      return [{ pointer: '/mobilePhone', phone: body.mobilePhone, texts: true }];
    case 'classic':
      return [{ pointer: '/contactPhone', phone: body.contactPhone, texts: true }];
    case 'payer':
    case 'brokerage':
      return [
        { pointer: '/companyAddress/phone', phone: body.companyAddress.phone, texts: false },
        { pointer: '/customerServicePhone', phone: body.customerServicePhone, texts: false },
        { pointer: '/primaryContact/phone', phone: body.primaryContact.phone, texts: true },
        { pointer: '/secondaryContact/phone', phone: body.secondaryContact.phone, texts: false },
      ];
  }
}

/** The form as it is stored for the operator: without password, bot check and invitation. */
export function recordOf(body: SignUp): Readonly<Record<string, unknown>> {
  const { password, passwordConfirmation, botCheck, invitation, ...record } = body;
  return record;
}
