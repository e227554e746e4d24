/** The kinds of items of the tables, each with the functions of the stores that read it. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { createPatientRecords } from '../../lambdas/audit/store/patient-records.ts';
import { createSealReader } from '../../lambdas/audit/store/seal-store.ts';
import { createAccountAccess } from '../../lambdas/authorization/store/account-access.ts';
import { createAuthorizationStore } from '../../lambdas/authorization/store/authorization-store.ts';
import { createMeteredApplications } from '../../lambdas/authorization/authorizer/metered-application.ts';
import { createSubscriptionKeys } from '../../lambdas/authorization/authorizer/subscription-key.ts';
import { createClientReader } from '../../lambdas/authorization/store/client-reader.ts';
import { createJwksStore } from '../../lambdas/authorization/store/jwks-store.ts';
import { createMemberGrants } from '../../lambdas/authorization/store/member-grants.ts';
import { findIdentifiedMember } from '../../lambdas/authorization/store/member-identifiers.ts';
import { createMemberLinks } from '../../lambdas/authorization/store/member-links.ts';
import { createSignInStore } from '../../lambdas/authorization/store/sign-in-store.ts';
import { createSsoSessionStore } from '../../lambdas/authorization/store/sso-session-store.ts';
import { createTokenStore } from '../../lambdas/authorization/store/token-store.ts';
import { createClientRegistry } from '../../lambdas/clients/store/client-registry.ts';
import { createPatientCompartment } from '../../lambdas/fhir/store/resource-store.ts';
import { entryItem } from '../../lambdas/loads/store/record-entries.ts';
import { createLoadLedger } from '../../lambdas/loads/store/load-ledger.ts';
import type { Key } from '../../lambdas/platform/table/key.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { createStatusStore } from '../../lambdas/portal/adapters/status-store.ts';
import { createDirectoryBuilds } from '../../lambdas/provider-directory/store/directory-builds.ts';

/** A kind of item, and the store that reads it. */
export interface ItemKind {
  /** Matches `pk / sk`; its groups are the arguments of `read`. */
  readonly key: RegExp;
  /** Reads the item by the code of the product. The result is compared with that of the release that wrote the item. */
  read(
    table: Table,
    parts: readonly string[],
    at: { readonly key: Key; readonly now: number },
  ): Promise<unknown>;
}

const lob = '(CHPDC|CHPMD|DSNP|MAPD|MHBE|EGWP)';
const of = (name: string | undefined) => name as LineOfBusiness;

/** Kinds of items, by name. An item of a kind that is not here is not kept. */
export const itemKinds: Readonly<Record<string, ItemKind>> = {
  'client, as provisioning reads it': {
    key: /^CLIENT#(.+) \/ CLIENT$/,
    read: async (table, [id = '']) => await createClientRegistry(table, 'sandbox').client(id),
  },
  'client, as the authorization server reads it': {
    key: /^CLIENT#(.+) \/ CLIENT$/,
    read: async (table, [id = '']) => await createClientReader(table).find(id),
  },
  'subscription key': {
    key: new RegExp(`^${lob}#KEY#(.+) / KEY$`),
    // The key itself is not stored, only its digest: any key is looked up as the kept item.
    read: async (table, [issuer], { key, now }) =>
      await createSubscriptionKeys({
        table: { ...table, get: async () => await table.get(key) },
        issuer: of(issuer),
        now: () => now,
      })('any-subscription-key-of-30-characters'),
  },
  'application of a line of business': {
    key: new RegExp(`^${lob}#APPLICATION#(.+) / APPLICATION$`),
    read: async (table, [code, client = '']) => await createMeteredApplications(table, of(code))(client),
  },
  'provisioning request': {
    key: /^REQUEST#(.+) \/ REQUEST$/,
    read: async (table, [id = '']) => await createClientRegistry(table, 'sandbox').request(id),
  },
  'public keys of an issuer': {
    key: new RegExp(`^${lob}#JWKS / JWKS$`),
    read: async (table, [issuer]) => await createJwksStore(table).read(of(issuer)),
  },
  'account of a member': {
    key: new RegExp(`^${lob}#MEMBER#(.+) / MEMBER$`),
    read: async (table, [code, sub = '']) => await createMemberLinks(table).find(of(code), sub),
  },
  'patients that an account may share': {
    key: new RegExp(`^${lob}#MEMBER#(.+) / MEMBER$`),
    read: async (table, [code, sub = ''], { now }) =>
      await createAccountAccess(table, () => now).patientsOf(of(code), { sub, username: '' } as never),
  },
  'member identifier': {
    key: new RegExp(`^${lob}#MEMBER-ID#(.+) / PATIENT$`),
    read: async (table, [code, identifier = '']) => await findIdentifiedMember(table, of(code), identifier),
  },
  'grant, as the token endpoint reads it': {
    key: new RegExp(`^${lob}#GRANT#([^#]+) / (.+)$`),
    read: async (table, [code, patient = '', grant = '']) =>
      await createTokenStore(table).grant(of(code), patient, grant),
  },
  'grant, as the connected apps read it': {
    key: new RegExp(`^${lob}#GRANT#([^#]+) / (.+)$`),
    read: async (table, [code, patient = ''], { now }) =>
      await createMemberGrants(table).live(of(code), patient, Math.floor(now / 1000)),
  },
  'refresh token family': {
    key: new RegExp(`^${lob}#REFRESH#(.+) / FAMILY$`),
    read: async (table, [code, family = '']) => await createTokenStore(table).family(of(code), family),
  },
  interaction: {
    key: new RegExp(`^${lob}#INTERACTION#(.+) / INTERACTION$`),
    read: async (table, [code, id = '']) => await createAuthorizationStore(table).interaction(of(code), id),
  },
  'authorization code': {
    key: new RegExp(`^${lob}#CODE#(.+) / CODE$`),
    read: async (table, [code, sha256 = '']) => await createAuthorizationStore(table).code(of(code), sha256),
  },
  'session at the connected apps': {
    key: new RegExp(`^${lob}#SESSION#(.+) / SESSION$`),
    read: async (table, [code, id = '']) => await createSignInStore(table).session(of(code), id),
  },
  'SSO session': {
    key: new RegExp(`^${lob}#SESSION#(.+) / SIGN-IN$`),
    read: async (table, [code, id = '']) => await createSsoSessionStore(table).find(of(code), id),
  },
  'known browser': {
    key: new RegExp(`^${lob}#BROWSER#(.+) / BROWSER$`),
    read: async (table, [code, id = '']) => await createSignInStore(table).knownBrowser(of(code), id),
  },
  resource: {
    key: new RegExp(`^${lob}#PATIENT#(.+) / RESOURCE#([^#]+)#(.+)$`),
    read: async (table, [code, patient = '', type = '', id = '']) =>
      await createPatientCompartment(table, of(code)).read(patient, 'no-grant', type as never, id),
  },
  'search index of a type': {
    key: new RegExp(`^${lob}#PATIENT#(.+) / (?:INDEX|LINKS)#(Coverage)#\\d$`),
    read: async (table, [code, patient = '', type = '']) =>
      await createPatientCompartment(table, of(code)).entries(patient, 'no-grant', {
        resourceType: type as never,
        references: true,
      }),
  },
  'entry of a resource': {
    key: new RegExp(`^${lob}#PATIENT#(.+) / ENTRY#(Coverage)#(.+)$`),
    read: async (table, _parts, { key }) => entryItem.parse(await table.get(key)),
  },
  'labels of a patient’s resources': {
    key: new RegExp(`^${lob}#PATIENT#(.+) / LABELS$`),
    read: async (table, [code, patient = '']) =>
      (await createPatientCompartment(table, of(code)).read(patient, 'no-grant', 'Patient', patient)).labels,
  },
  'audit event of a patient': {
    key: new RegExp(`^AUDIT#${lob}#PATIENT#(.+) / .+$`),
    read: async (table, [code, patient = '']) =>
      await createPatientRecords(table).about(of(code), patient, undefined as never, 1),
  },
  seal: {
    key: new RegExp(`^SEAL#(${lob}|M2M) / \\d+$`),
    read: async (table, [issuer]) => await createSealReader(table).last(issuer as TokenIssuer),
  },
  load: {
    key: new RegExp(`^${lob}#LOADS / .+$`),
    read: async (table, [code]) => await createLoadLedger(table).loads(of(code), 1),
  },
  'file of a load': {
    key: new RegExp(`^${lob}#LOAD#([^#/]+) / FILE#.+$`),
    read: async (table, [code, jobId = '']) => await createLoadLedger(table).files({ lob: of(code), jobId }),
  },
  'range of a load': {
    key: new RegExp(`^${lob}#LOAD#([^#/]+) / RANGE#.+$`),
    read: async (table, [code, jobId = '']) => await createLoadLedger(table).ranges({ lob: of(code), jobId }),
  },
  'freshness clock': {
    key: new RegExp(`^${lob}#FRESHNESS / .+$`),
    read: async (table, [code]) => await createLoadLedger(table).clocks(of(code)),
  },
  'build of a directory': {
    key: new RegExp(`^${lob}#DIRECTORY#BUILDS / .+$`),
    read: async (table, [code]) => await createDirectoryBuilds(table).list(of(code), 1),
  },
  'measurement of the status': {
    key: /^STATUS#NEWEST \/ STATUS$/,
    read: async (table) => await createStatusStore(table).newest(),
  },
};
