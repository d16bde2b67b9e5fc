/** Gradients and the boxes that they span. Planning needs them, so nothing native is loaded here. */
import type { Gradient, GradientStop } from '../protocol.ts';

/** A rectangle, in pixels. */
export type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

const FULL_TURN = 2 * Math.PI;

/**
 * Returns the ends of a linear gradient over a box, on whole pixels: from the centre in the direction of the rotation
 * (clockwise) to the nearer pair of sides, and as far in the opposite direction. The design is that of
 * `qr-code-styling`: the angle's tangent is scaled by the box, so on a box that is not square the direction differs
 * from the angle.
 */
export const linearEnds = ({ x, y, width, height }: Box, rotationRad: number) => {
  const angle = ((rotationRad % FULL_TURN) + FULL_TURN) % FULL_TURN;
  const [vx, vy] = halfVector(width / 2, height / 2, angle);
  const [cx, cy] = [x + width / 2, y + height / 2];
  const [x1, y1, x2, y2] = [
    Math.round(cx - vx),
    Math.round(cy - vy),
    Math.round(cx + vx),
    Math.round(cy + vy),
  ];
  return { x1, y1, x2, y2 };
};

const halfVector = (halfWidth: number, halfHeight: number, angle: number): readonly [number, number] => {
  const tan = Math.tan(angle);
  const eighths = angle / (Math.PI / 4);
  if (eighths <= 1 || eighths > 7) return [halfWidth, halfHeight * tan];
  if (eighths <= 3) return [halfWidth / tan, halfHeight];
  if (eighths <= 5) return [-halfWidth, -halfHeight * tan];
  return [-halfWidth / tan, -halfHeight];
};

/** Returns the circle of a radial gradient over a box. The circle reaches the farther pair of sides. */
export const radialCircle = ({ x, y, width, height }: Box) => ({
  cx: x + width / 2,
  cy: y + height / 2,
  r: Math.max(width, height) / 2,
});

/** Returns the same gradient, turned clockwise. */
export const turnGradient = (gradient: Gradient, turnRad: number): Gradient => ({
  ...gradient,
  rotationRad: gradient.rotationRad + turnRad,
});

/** Writes an offset or an opacity. Four decimals are enough to tell all 256 steps of a colour apart. */
export const formatRatio = (ratio: number): string => String(Number(ratio.toFixed(4)));

/**
 * Returns the stops of a gradient, without those that lie between two others at the same offset: resvg ignores them
 * too.
 */
export const visibleStops = ({ colorStops }: Gradient): readonly GradientStop[] => {
  const visible: GradientStop[] = [];
  for (const [i, stop] of colorStops.entries()) {
    const place = formatRatio(stop.offset);
    const isThere = (other: GradientStop | undefined) => other && formatRatio(other.offset) === place;
    if (!isThere(visible.at(-1)) || !isThere(colorStops[i + 1])) visible.push(stop);
  }
  return visible;
};
