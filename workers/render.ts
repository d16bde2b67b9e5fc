import { composeSvg } from './design/svg.ts';
import { type PlannedTask, planRender, type RenderPlan } from './plan.ts';
import {
  type Grade,
  isFault,
  type Lane,
  type PrintOptions,
  type RenderResult,
  type RenderTask,
  type Surround,
} from './protocol.ts';
import { gradeOf } from './quality/grade.ts';
import { gradeFaultOfTill, serializeWarnings } from './quality/grades.ts';
import { drawPlainAround, drawStampedAround } from './raster/around/around.ts';
import { drawLayeredAround } from './raster/around/layered-around.ts';
import { chooseLane, laneAround, type Route } from './raster/lane.ts';
import { drawLayered } from './raster/layered.ts';
import { drawPlain } from './raster/plain.ts';
import { drawReference } from './raster/png.ts';
import { withResolution } from './raster/png-file.ts';
import { drawStamped } from './raster/stamp.ts';
import { repairDesign } from './repair.ts';
import { createSymbol, type QrSymbol } from './symbol/symbol.ts';
import { drawVector } from './vector/vector.ts';

/** Draws one picture: from text to symbol, shapes and bytes. Returns a fault when it cannot be drawn. */
export const render = (task: RenderTask | PlannedTask): RenderResult => {
  const startedMs = performance.now();
  const drawn = task.repair === undefined ? draw(task) : repair(task, task.repair);
  if (isFault(drawn)) return { ok: false, fault: drawn };
  return { ok: true, value: { ...drawn, renderMs: performance.now() - startedMs } };
};

const draw = (task: RenderTask | PlannedTask) => {
  const { text, design, logo } = task;
  const plan = 'plan' in task ? task.plan : planRender(text, design, logo);
  if (isFault(plan)) return plan;
  const symbol = createSymbol(text, plan.symbol);
  const { quality, warnings } = gradeOf(symbol, design, plan.geometry, logo, task.print?.page ?? null);
  const unread = task.print?.till ? gradeFaultOfTill(quality.grade, warnings) : null;
  if (unread !== null) return unread;
  const drawn =
    task.report === 'alone' ? picture('plain', new Uint8Array(0)) : drawSymbol(task, plan, symbol);
  const lost = task.print?.around?.lost ?? [];
  const graded = { ...drawn, grade: quality.grade, warnings, ...(lost.length > 0 && { lost }) };
  return task.report ? { ...graded, quality } : graded;
};

const repair = ({ text, design, logo }: RenderTask, wanted: Grade) => {
  const repaired = repairDesign(text, design, logo, wanted);
  if (isFault(repaired)) return repaired;
  const { quality, ...repair } = repaired;
  const warnings = serializeWarnings(quality.warnings);
  return { ...picture('reference', new Uint8Array(0)), grade: quality.grade, warnings, quality, repair };
};

const drawSymbol = (task: RenderTask, plan: RenderPlan, symbol: QrSymbol) => {
  if (task.format !== 'png') return picture('vector', drawVector(task, plan, symbol));
  const drawn = drawPng(task, plan, symbol);
  const page = task.print?.page ?? null;
  return page === null ? drawn : picture(drawn.lane, withResolution(drawn.bytes, page.mmPerPx));
};

const drawPng = (task: RenderTask, plan: RenderPlan, symbol: QrSymbol) => {
  const { design, logo, print } = task;
  const { geometry } = plan;
  const route = chooseLane(design, geometry);
  const around = print?.around;
  // A blank caption leaves nothing to draw.
  if (around !== undefined && (around.texts.length > 0 || around.frame !== undefined))
    return drawAround(route, symbol, plan, task, { around, page: print?.page ?? null });
  if (route.lane === 'plain') return picture('plain', drawPlain(symbol, design, geometry, route.solidColors));
  if (route.lane === 'reference') {
    return picture('reference', drawReference(composeSvg(plan, symbol, design, logo)));
  }
  const stamped =
    route.lane === 'stamped' ? drawStamped(symbol, design, geometry, route.solidColors, logo) : null;
  if (stamped !== null) return picture('stamped', stamped);
  return picture('layered', drawLayered(symbol, design, geometry, logo));
};

const drawAround = (
  route: Route,
  symbol: QrSymbol,
  plan: RenderPlan,
  { design, logo }: RenderTask,
  { around, page }: Pick<PrintOptions, 'page'> & { readonly around: Surround },
) => {
  const { geometry } = plan;
  // Without `roundSize` resvg draws letters without smooth edges, and those that are kept have smooth ones. It draws the
  // edge of a round background differently where the code is moved.
  const isKept = design.dots.roundSize && design.background.round === 0;
  const lane = isKept ? laneAround(route.lane, around) : 'reference';
  if (lane === 'plain' && route.lane === 'plain') {
    const drawn = drawPlainAround(symbol, design, geometry, route.solidColors, around);
    if (drawn !== null) return picture(lane, drawn);
  }
  if (lane === 'stamped' && route.lane === 'stamped') {
    const drawn = drawStampedAround(symbol, design, geometry, route.solidColors, logo, around);
    if (drawn !== null) return picture(lane, drawn);
  }
  if (lane !== 'reference') {
    const drawn = drawLayeredAround(symbol, design, geometry, logo, around, page?.bleedPx ?? 0);
    if (drawn !== null) return picture('layered', drawn);
  }
  return picture('reference', drawReference(composeSvg(plan, symbol, design, logo, around)));
};

const picture = (lane: Lane, bytes: Uint8Array<ArrayBuffer>) => ({ lane, bytes });
