import { Day, Time } from '../../components/display.tsx';
import { agoText } from './last-used-model.ts';

/** The time of a credential's last use, and how long ago it is. The day alone if no more is known: a time at midnight UTC. */
export function LastUsed({ at }: { readonly at: string }) {
  if (at.endsWith('T00:00:00.000Z')) return <Day at={at} />;
  return (
    <>
      {agoText(at, Date.now())} (<Time at={at} seconds />)
    </>
  );
}
