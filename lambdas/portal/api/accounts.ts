/** Request schemas of the portal API: accounts, sign-up, team. */

import * as z from 'zod/mini';
import { type TeamRole, teamRoleNames } from '../catalog/account-states.ts';
import { usStateCodes } from '../catalog/us-states.ts';
import {
  accepted,
  agreementVersion,
  botCheckAnswer,
  email,
  line,
  newPassword,
  passwordConfirmation,
  presentPassword,
  username,
  usPhone,
  verificationCode,
  webAddress,
} from './fields.ts';
import { employerIdentificationNumber, statedIdentifiers } from './stated-identifiers.ts';

/**
 * Request schemas of the account routes. Source of the fields: docs/service.md S2.2 to S2.4. Every object is strict: an unknown field
 * (`state`, `role`, `approved`, …) is an error.
 */

const passwords = { password: newPassword, passwordConfirmation };
const common = {
  /** Optional: signs in as the e-mail address does. */
  username: z.optional(username),
  botCheck: botCheckAnswer,
  /** Token of an invitation: the account joins that team. */
  invitation: z.optional(z.string().check(z.minLength(20), z.maxLength(200))),
};

const individual = {
  developerType: z.literal('individual'),
  firstName: line('your first name', 60),
  lastName: line('your last name', 60),
  company: line('the name of your company, or your own'),
  mobilePhone: usPhone,
  email,
  ...passwords,
  ...common,
};

const classic = {
  developerType: z.literal('classic'),
  firstName: line('your first name', 60),
  lastName: line('your last name', 60),
  role: line('your role, like “developer” or “product owner”', 60),
  companyName: line('the name of your company'),
  contactPhone: usPhone,
  email,
  ...passwords,
  ...common,
};

/** The primary or the secondary contact of an organization. */
export const contact = z.strictObject({
  firstName: line('the first name', 60),
  lastName: line('the last name', 60),
  email,
  phone: usPhone,
  designation: line('this person’s designation, like “compliance officer”', 80),
});

export const companyAddress = z.strictObject({
  street: line('the street address'),
  state: z.enum(usStateCodes, { error: 'a US state' }),
  city: line('the city', 80),
  zipCode: z
    .string({ error: 'five digits, or nine digits like 20001-0001' })
    .check(z.trim(), z.regex(/^\d{5}(?:-\d{4})?$/, { error: 'five digits, or nine digits like 20001-0001' })),
  phone: usPhone,
  websiteUrl: webAddress,
});

const emailDomain = z
  .string({ error: 'the part of your company’s e-mail addresses after the @, like example.org' })
  .check(
    z.trim(),
    // DNS names are case-insensitive (RFC 4343).
    z.toLowerCase(),
    z.maxLength(253),
    z.regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
      error: 'the part of your company’s e-mail addresses after the @, like example.org',
    }),
  );

const organization = {
  companyLegalName: line('the legal name of the company', 160),
  companyEmailDomain: emailDomain,
  /** The version of the HIPAA affirmation whose box was selected. */
  hipaaAffirmation: z.strictObject({ accepted, version: agreementVersion }),
  companyAddress,
  customerServiceEmail: email,
  customerServicePhone: usPhone,
  /** The person who gets the account and signs in. */
  primaryContact: contact,
  secondaryContact: contact,
  ...passwords,
  ...common,
};

const payer = {
  developerType: z.literal('payer'),
  organizationIdentifiers: z.optional(statedIdentifiers),
  ...organization,
};
const brokerage = {
  developerType: z.literal('brokerage'),
  employerIdentificationNumber,
  ...organization,
};

const samePassword = z.refine<{ readonly password: string; readonly passwordConfirmation: string }>(
  (it) => it.password.normalize('NFKC') === it.passwordConfirmation.normalize('NFKC'),
  { error: 'the same password in both fields', path: ['passwordConfirmation'] },
);

interface Contacts {
  readonly primaryContact: { readonly email: string };
  readonly secondaryContact: { readonly email: string };
}

/** Checks that the secondary contact is another person than the primary contact, who signs in. */
const twoContacts = z.refine<Contacts>(
  (it) => it.primaryContact.email.toLowerCase() !== it.secondaryContact.email.toLowerCase(),
  { error: 'another person’s e-mail address', path: ['secondaryContact', 'email'] },
);

const atCompanyDomain = (path: 'primaryContact' | 'secondaryContact') =>
  z.refine<Contacts & { readonly companyEmailDomain: string }>(
    (it) => it[path].email.toLowerCase().endsWith(`@${it.companyEmailDomain}`),
    { error: 'an e-mail address at the company’s domain', path: [path, 'email'] },
  );

/** The sign-up schema of each developer type; each page imports only its own. */
export const signUpSchemas = {
  individual: z.strictObject(individual).check(samePassword),
  classic: z.strictObject(classic).check(samePassword),
  payer: z
    .strictObject(payer)
    .check(samePassword, twoContacts, atCompanyDomain('primaryContact'), atCompanyDomain('secondaryContact')),
  brokerage: z
    .strictObject(brokerage)
    .check(samePassword, twoContacts, atCompanyDomain('primaryContact'), atCompanyDomain('secondaryContact')),
} as const;

export type SignUp =
  | z.infer<typeof signUpSchemas.individual>
  | z.infer<typeof signUpSchemas.classic>
  | z.infer<typeof signUpSchemas.payer>
  | z.infer<typeof signUpSchemas.brokerage>;

export const codeRequest = z.strictObject({ code: verificationCode });

/** The first code of an authenticator app, and the parameters with which its key was issued. */
export const authenticatorRequest = z.strictObject({
  enrollment: z.string().check(z.regex(/^\d{10}\.[A-Za-z0-9_-]{22}$/)),
  code: verificationCode,
});

export const termsRequest = z.strictObject({
  version: agreementVersion,
  /** The person scrolled the text to its end and selected the box; the page's Accept button needs both. */
  scrolledToEnd: accepted,
  accepted,
});

export const signInRequest = z.strictObject({
  /** E-mail address or user name. */
  identifier: z
    .string({ error: 'your e-mail address or user name' })
    .check(z.trim(), z.regex(/\S/, { error: 'your e-mail address or user name' }), z.maxLength(254)),
  password: presentPassword,
  botCheck: botCheckAnswer,
});

export const updateAccountRequest = z.strictObject({
  firstName: line('your first name', 60),
  lastName: line('your last name', 60),
});
export const changeEmailRequest = z.strictObject({ email, password: presentPassword });
export const changePhoneRequest = z.strictObject({ phone: usPhone, password: presentPassword });
export const changePasswordRequest = z.strictObject({ presentPassword, ...passwords }).check(samePassword);
export const passwordRequest = z.strictObject({ password: presentPassword });
export const passwordResetRequest = z.strictObject({ email, botCheck: botCheckAnswer });
export const passwordResetConfirmation = z
  .strictObject({ email, code: verificationCode, ...passwords })
  .check(samePassword);
export const invitationRequest = z.strictObject({ email });
export const teamRoleRequest = z.strictObject({
  role: z.enum(teamRoleNames as readonly [TeamRole, ...TeamRole[]], { error: 'owner or member' }),
});
export const acceptInvitationRequest = z.strictObject({
  invitation: z.string().check(z.minLength(20), z.maxLength(200)),
});
