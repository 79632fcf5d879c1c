package org.fastpath.zcr.pin;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;

/**
 * The coordinator's endpoint on a RegionServer, and its client. It has two calls, {@code report}
 * and {@code succeed}. Request and answer are bytes in a protobuf message that this class defines
 * without generated code. Only HBase's own user may call.
 */
final class PinEndpoint implements Service {
  private static final String BYTES = "bytes";
  private static final FileDescriptor FILE = file();
  private static final Descriptor MESSAGE = FILE.findMessageTypeByName("Bytes");
  private static final ServiceDescriptor SERVICE = FILE.findServiceByName("Pins");
  private static final FieldDescriptor FIELD = MESSAGE.findFieldByName(BYTES);

  private final Handler handler;

  /** Answers calls without waiting. */
  interface Handler {
    /** Takes a {@link HeatReport}; answers a {@link PinReply}. */
    byte[] report(byte[] request) throws IOException;

    /**
     * Takes a {@link OutputPinRequest}. Answers with one byte: whether the output will be pinned.
     */
    byte[] succeed(byte[] request) throws IOException;
  }

  PinEndpoint(Handler handler) {
    this.handler = handler;
  }

  private static FileDescriptor file() {
    DescriptorProto message =
        DescriptorProto.newBuilder()
            .setName("Bytes")
            .addField(
                FieldDescriptorProto.newBuilder()
                    .setName(BYTES)
                    .setNumber(1)
                    .setType(FieldDescriptorProto.Type.TYPE_BYTES)
                    .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))
            .build();
    ServiceDescriptorProto service =
        ServiceDescriptorProto.newBuilder()
            .setName("Pins")
            .addMethod(method("report"))
            .addMethod(method("succeed"))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("fastpath-pins.proto")
            .setPackage("org.fastpath.pins")
            .addMessageType(message)
            .addService(service)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodDescriptorProto method(String name) {
    return MethodDescriptorProto.newBuilder()
        .setName(name)
        .setInputType(".org.fastpath.pins.Bytes")
        .setOutputType(".org.fastpath.pins.Bytes")
        .build();
  }

  private static Message message(byte[] bytes) {
    return DynamicMessage.newBuilder(MESSAGE).setField(FIELD, ByteString.copyFrom(bytes)).build();
  }

  private static byte[] bytes(Message message) {
    return ((ByteString) message.getField(message.getDescriptorForType().findFieldByName(BYTES)))
        .toByteArray();
  }

  /** Calls another server's endpoint: {@code report} or {@code succeed}. */
  static byte[] call(CoprocessorRpcChannel channel, String method, byte[] request)
      throws IOException {
    try {
      return bytes(
          channel.callBlockingMethod(
              SERVICE.findMethodByName(method),
              null,
              message(request),
              DynamicMessage.getDefaultInstance(MESSAGE)));
    } catch (ServiceException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(e);
    }
  }

  @Override
  public void callMethod(
      MethodDescriptor method,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    try {
      requireOwnUser();
      byte[] asked = bytes(request);
      byte[] answer =
          method.getName().equals("report") ? handler.report(asked) : handler.succeed(asked);
      done.run(message(answer));
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException | LinkageError e) {
      CoprocessorRpcUtils.setControllerException(controller, new IOException(e));
    }
  }

  private static void requireOwnUser() throws IOException {
    Optional<User> caller = RpcServer.getRequestUser();
    String own = User.getCurrent().getShortName();
    // HBase runs a handler as its own user for every requester.
    if (caller.isPresent() && !caller.get().getShortName().equals(own)) {
      throw new AccessDeniedException(
          "user " + caller.get().getShortName() + " may not report heat; only " + own + " may");
    }
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return SERVICE;
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return DynamicMessage.getDefaultInstance(MESSAGE);
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return DynamicMessage.getDefaultInstance(MESSAGE);
  }
}
