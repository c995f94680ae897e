// Makes a picture of a page small: at most 256 colours, which flat surfaces and smoothed letters do not miss, and no filter, which suits them.
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A PNG of 8 bits a channel, without interlacing, as a PNG with a palette. Transparency is given up. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
  const places = new Map(palette.map((colour, at) => [colour, at]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = pixels[y * width + x] ?? 0;
      const place = places.get(colour) ?? nearest(colour, palette);
      places.set(colour, place);
      rows[y * (width + 1) + 1 + x] = place;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, other] of palette.entries()) {
    const distance = [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function decode(png: Buffer): { readonly width: number; readonly height: number; readonly pixels: Uint32Array } {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const [width, height, bytes] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * bytes;
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const row = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [x < bytes ? 0 : (row[x - bytes] ?? 0), above[x] ?? 0, x < bytes ? 0 : (above[x - bytes] ?? 0)];
      row[x] = ((row[x] ?? 0) + predicted(filter, left, up, corner)) & 255;
    }
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = row.readUIntBE(x * bytes, 3);
    above = row;
  }
  return { width, height, pixels };
}

/** The filters of PNG: none, left, above, their mean, Paeth's. */
function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
