// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as createGroupCall from './phone/create-group-call.ts';
import * as discardGroupCall from './phone/discard-group-call.ts';
import * as editGroupCallParticipant from './phone/edit-group-call-participant.ts';
import * as getGroupCall from './phone/get-group-call.ts';
import * as getGroupCallStreamRtmpUrl from './phone/get-group-call-stream-rtmp-url.ts';
import * as getGroupParticipants from './phone/get-group-participants.ts';
import * as joinGroupCall from './phone/join-group-call.ts';
import * as leaveGroupCall from './phone/leave-group-call.ts';
import * as startScheduledGroupCall from './phone/start-scheduled-group-call.ts';

export const methods = {
  'phone.createGroupCall': createGroupCall.createGroupCall,
  'phone.discardGroupCall': discardGroupCall.discardGroupCall,
  'phone.editGroupCallParticipant': editGroupCallParticipant.editGroupCallParticipant,
  'phone.getGroupCall': getGroupCall.getGroupCall,
  'phone.getGroupCallStreamRtmpUrl': getGroupCallStreamRtmpUrl.getGroupCallStreamRtmpUrl,
  'phone.getGroupParticipants': getGroupParticipants.getGroupParticipants,
  'phone.joinGroupCall': joinGroupCall.joinGroupCall,
  'phone.leaveGroupCall': leaveGroupCall.leaveGroupCall,
  'phone.startScheduledGroupCall': startScheduledGroupCall.startScheduledGroupCall,
};

export const examples = {
  'phone.createGroupCall': createGroupCall.example,
  'phone.discardGroupCall': discardGroupCall.example,
  'phone.editGroupCallParticipant': editGroupCallParticipant.example,
  'phone.getGroupCall': getGroupCall.example,
  'phone.getGroupCallStreamRtmpUrl': getGroupCallStreamRtmpUrl.example,
  'phone.getGroupParticipants': getGroupParticipants.example,
  'phone.joinGroupCall': joinGroupCall.example,
  'phone.leaveGroupCall': leaveGroupCall.example,
  'phone.startScheduledGroupCall': startScheduledGroupCall.example,
};

export const differences = {
  'phone.getGroupCallStreamRtmpUrl': getGroupCallStreamRtmpUrl.difference,
  'phone.joinGroupCall': joinGroupCall.difference,
};
