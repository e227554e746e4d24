/** Looks up the center of a ZIP code in the table of `zip-centroids-data.ts`. */

import type { SearchedPlace } from './doctor-query.ts';
import { zipCentroidsData } from './zip-centroids-data.ts';

/** The center of a ZIP code, to a hundredth of a degree (about a kilometer); undefined for a ZIP code that is not in use. */
export function zipCentroid(zip: string): SearchedPlace | undefined {
  const wanted = Number(zip);
  const bytes = Buffer.from(zipCentroidsData, 'base64');
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const signed = () => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  let [code, latitude, longitude] = [0, 0, 0];
  while (at < bytes.length && code < wanted) {
    code += varint();
    latitude += signed();
    longitude += signed();
  }
  return code === wanted && code > 0 ? { latitude: latitude / 100, longitude: longitude / 100 } : undefined;
}
