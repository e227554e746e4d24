/** The developers, crawlers of the directory and operators of a soak. */

import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { localFetch, originsOf, runningSystem } from '../journeys/journey.ts';
import { aDeveloper, anApplication, bodyOf, portalDoor } from '../journeys/portal-door.ts';
import { registered } from './applications.ts';
import type { World } from './world.ts';

/**
 * Developers sign up, register an application, promote it and read it again.
 *
 * @returns the number of developers who did all of this.
 */
export async function developers(world: World): Promise<number> {
  let done = 0;
  while (!world.over) {
    await world.up();
    const door = portalDoor(runningSystem());
    const developer = await world.act('sign up as a developer', () => aDeveloper(door));
    const application =
      developer === undefined
        ? undefined
        : await world.act('register an application in the portal', () => anApplication(developer));
    if (developer !== undefined && application !== undefined) {
      const path = `/api/applications/${application.applicationId}`;
      const promoted = await world.act('promote an application', async () => {
        const body = { version: application.version };
        const answer = await developer.visitor.send('POST', `${path}/promote`, { body });
        // An application that was never called is refused, with the checks that it fails.
        const isRefused = answer.status === 409 && bodyOf(answer).code === 'preflight_failed';
        if (answer.status >= 300 && !isRefused)
          throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
        return !isRefused;
      });
      await world.act('see an application', async () => {
        const answer = await developer.visitor.send('GET', path);
        const { state } = bodyOf(answer) as { readonly state?: string };
        if (answer.status !== 200)
          throw new Error(`an acknowledged application is answered ${answer.status}`);
        if (promoted === true && state === 'registered_in_sandbox') throw new Error('a promotion is lost');
      });
      done += 1;
    }
    await world.pause(5_000);
  }
  return done;
}

/**
 * Reads the directory page by page, as a crawler does.
 *
 * @returns the number of pages it read.
 */
export async function crawler(world: World, lob: LineOfBusiness): Promise<number> {
  const app = await registered(world, lob);
  let pages = 0;
  while (app !== undefined && !world.over) {
    await world.up();
    const first = `${fhirBase(originsOf('sandbox'), lob, 'provider-directory')}/Practitioner?_count=20`;
    for (let next: string | undefined = first; next !== undefined && !world.over; ) {
      const url: string = next;
      const headers = { 'x-api-subscription-key': app.subscriptionKey };
      const answer = await world.call('page of the directory', () => localFetch(url, { headers }));
      const links = answer === undefined ? [] : (((await answer.json()) as Searchset).link ?? []);
      if (answer !== undefined) pages += 1;
      next = links.find(({ relation }) => relation === 'next')?.url;
      await world.pause(700);
    }
  }
  return pages;
}

interface Searchset {
  readonly link?: readonly { readonly relation: string; readonly url: string }[];
}

/** An operator reads queues, loads, jobs and seals. */
export async function operator(world: World, lob: LineOfBusiness): Promise<void> {
  const looks: readonly (readonly string[])[] = [
    ['apps', 'queue'],
    ['loads', 'list', '--lob', lob],
    ['jobs', 'list', '--lob', lob],
    ['loads', 'sweep'],
    ['audit', 'verify', '--lob', lob, '--seals-only'],
  ];
  for (let turn = 0; !world.over; turn += 1) {
    const look = looks[turn % looks.length] ?? [];
    await world.ops(`operator: ${look.slice(0, 2).join(' ')}`, ...look);
    await world.pause(4_000);
  }
}
