import { afterAll, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anAddress,
  aPhone,
  password,
  startPortalWorld,
} from '../portal/accounts/portal-world.ts';

const world = await startPortalWorld();
afterAll(() => world.stop());

/** Advances the clock to the beginning of an hour, when hourly limits start anew; requests on the way keep the session open. */
async function toTheHour({ browser }: Awaited<ReturnType<typeof anActiveDeveloper>>): Promise<void> {
  const left = () => 3_600 - ((world.clock.ms / 1000) % 3_600);
  while (left() > 20 * 60) {
    world.after(20 * 60);
    await browser.send('GET', '/api/account');
  }
  world.after(left());
}

it('has an account send five mails an hour to addresses it wants to change to, to however many', async () => {
  const developer = await anActiveDeveloper(world);
  await toTheHour(developer);
  const hour = [];
  for (let asked = 0; asked < 8; asked += 1) {
    const body = { email: anAddress(), password };
    const { status } = await developer.browser.send('POST', '/api/account/email', body);
    hour.push([status, world.messagesTo(body.email).length]);
    world.after(61);
  }
  const [sent, refused] = [
    [202, 1],
    [429, 0],
  ];
  expect(hour).toEqual([sent, sent, sent, sent, sent, refused, refused, refused]);
});

it('has an account send five texts an hour, to however many numbers', async () => {
  const developer = await anActiveDeveloper(world);
  const { browser } = developer;
  await toTheHour(developer);
  const numbers = new Set<string>();
  const ask = async () => {
    const phone = aPhone();
    numbers.add(phone);
    const { status } = await browser.send('POST', '/api/account/phone', { phone, password });
    world.after(61);
    return status;
  };
  const hour = [];
  for (let asked = 0; asked < 8; asked += 1) hour.push(await ask());
  expect(hour).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
  expect(numbers.size).toBe(8);
});
