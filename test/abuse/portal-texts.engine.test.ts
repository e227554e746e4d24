import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  aPhone,
  type PortalWorld,
  password,
  startPortalWorld,
} from '../developers/portal-world.ts';

let world: PortalWorld;
beforeAll(async () => {
  world = await startPortalWorld();
});
afterAll(async () => await world.stop());

it('has an account send five texts an hour, to however many numbers', async () => {
  const { browser } = await anActiveDeveloper(world);
  const lasts = 20 * 60;
  // To the beginning of an hour, so that its window is whole.
  const toTheHour = () => 3_600 - ((world.clock.ms / 1000) % 3_600);
  while (toTheHour() > lasts) {
    world.after(lasts);
    await browser.send('GET', '/api/account');
  }
  world.after(toTheHour());
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
