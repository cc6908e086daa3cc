// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as createChannel from './channels/create-channel.ts';
import * as deleteChannel from './channels/delete-channel.ts';
import * as deleteMessages from './channels/delete-messages.ts';
import * as deleteParticipantHistory from './channels/delete-participant-history.ts';
import * as editAdmin from './channels/edit-admin.ts';
import * as editBanned from './channels/edit-banned.ts';
import * as editForumTopic from './channels/edit-forum-topic.ts';
import * as editTitle from './channels/edit-title.ts';
import * as getChannels from './channels/get-channels.ts';
import * as getFullChannel from './channels/get-full-channel.ts';
import * as getMessages from './channels/get-messages.ts';
import * as getParticipant from './channels/get-participant.ts';
import * as getParticipants from './channels/get-participants.ts';
import * as inviteToChannel from './channels/invite-to-channel.ts';
import * as joinChannel from './channels/join-channel.ts';
import * as leaveChannel from './channels/leave-channel.ts';
import * as readHistory from './channels/read-history.ts';
import * as readMessageContents from './channels/read-message-contents.ts';
import * as toggleForum from './channels/toggle-forum.ts';
import * as toggleSlowMode from './channels/toggle-slow-mode.ts';
import * as updateUsername from './channels/update-username.ts';

export const methods = {
  'channels.createChannel': createChannel.createChannel,
  'channels.deleteChannel': deleteChannel.deleteChannel,
  'channels.deleteMessages': deleteMessages.deleteMessages,
  'channels.deleteParticipantHistory': deleteParticipantHistory.deleteParticipantHistory,
  'channels.editAdmin': editAdmin.editAdmin,
  'channels.editBanned': editBanned.editBanned,
  'channels.editForumTopic': editForumTopic.editForumTopic,
  'channels.editTitle': editTitle.editTitle,
  'channels.getChannels': getChannels.getChannels,
  'channels.getFullChannel': getFullChannel.getFullChannel,
  'channels.getMessages': getMessages.getMessages,
  'channels.getParticipant': getParticipant.getParticipant,
  'channels.getParticipants': getParticipants.getParticipants,
  'channels.inviteToChannel': inviteToChannel.inviteToChannel,
  'channels.joinChannel': joinChannel.joinChannel,
  'channels.leaveChannel': leaveChannel.leaveChannel,
  'channels.readHistory': readHistory.readHistory,
  'channels.readMessageContents': readMessageContents.readMessageContents,
  'channels.toggleForum': toggleForum.toggleForum,
  'channels.toggleSlowMode': toggleSlowMode.toggleSlowMode,
  'channels.updateUsername': updateUsername.updateUsername,
};

export const examples = {
  'channels.createChannel': createChannel.example,
  'channels.deleteChannel': deleteChannel.example,
  'channels.deleteMessages': deleteMessages.example,
  'channels.deleteParticipantHistory': deleteParticipantHistory.example,
  'channels.editAdmin': editAdmin.example,
  'channels.editBanned': editBanned.example,
  'channels.editForumTopic': editForumTopic.example,
  'channels.editTitle': editTitle.example,
  'channels.getChannels': getChannels.example,
  'channels.getFullChannel': getFullChannel.example,
  'channels.getMessages': getMessages.example,
  'channels.getParticipant': getParticipant.example,
  'channels.getParticipants': getParticipants.example,
  'channels.inviteToChannel': inviteToChannel.example,
  'channels.joinChannel': joinChannel.example,
  'channels.leaveChannel': leaveChannel.example,
  'channels.readHistory': readHistory.example,
  'channels.readMessageContents': readMessageContents.example,
  'channels.toggleForum': toggleForum.example,
  'channels.toggleSlowMode': toggleSlowMode.example,
  'channels.updateUsername': updateUsername.example,
};

export const differences = {
  'channels.createChannel': createChannel.difference,
  'channels.deleteMessages': deleteMessages.difference,
  'channels.deleteParticipantHistory': deleteParticipantHistory.difference,
  'channels.editBanned': editBanned.difference,
  'channels.getChannels': getChannels.difference,
  'channels.getParticipants': getParticipants.difference,
  'channels.inviteToChannel': inviteToChannel.difference,
  'channels.joinChannel': joinChannel.difference,
  'channels.toggleSlowMode': toggleSlowMode.difference,
};
