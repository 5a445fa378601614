// A bureau's own line: the HTTP exchange of lib/outside/http-line.ts with room for a whole credit file.
import {
  type HttpCall,
  type HttpLine,
  type HttpReply,
  type LineOptions,
  openHttpLine,
} from '../lib/outside/http-line.ts';

export { isContentType } from '../lib/outside/http-line.ts';

const REPLY_BYTES_MAX = 5_000_000;

export type BureauCall = HttpCall;
export type BureauReply = HttpReply;
export type BureauLine = HttpLine;

export function openLine(options: Omit<LineOptions, 'replyBytesMax'>): BureauLine {
  return openHttpLine({ ...options, replyBytesMax: REPLY_BYTES_MAX });
}
