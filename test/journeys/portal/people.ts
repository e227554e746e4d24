import { randomInt, randomUUID } from 'node:crypto';
import type { DeveloperType } from '../../../lambdas/portal/catalog/account-states.ts';

/** A person who signs up, with a new e-mail address and a new phone number. */
export interface Person {
  readonly developerType: DeveloperType;
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly email: string;
  /** Phone number in the form in which people type it. */
  readonly phone: string;
  readonly password: string;
}

export function aPerson(developerType: DeveloperType, changes: Partial<Person> = {}): Person {
  const name = randomUUID().slice(0, 8);
  const organization = developerType === 'payer' || developerType === 'brokerage';
  return {
    developerType,
    firstName: 'Dana',
    lastName: 'Okafor',
    company: `Company ${name}`,
    email: organization ? `dana@${name}.example.org` : `dana.${name}@example.org`,
    phone: aPhone(),
    password: `tall lantern maps ${name}`,
    ...changes,
  };
}

/** A random US number of Washington, DC. The texts to a number are limited, so a number should not be shared. */
export function aPhone(): string {
  return `202-${randomInt(200, 1_000)}-${String(randomInt(10_000)).padStart(4, '0')}`;
}

export function e164Of({ phone }: Pick<Person, 'phone'>): string {
  return `+1${phone.replaceAll('-', '')}`;
}

export function isOrganization({ developerType }: Person): boolean {
  return developerType === 'payer' || developerType === 'brokerage';
}

export function domainOf({ email }: Person): string {
  return email.slice(email.indexOf('@') + 1);
}
