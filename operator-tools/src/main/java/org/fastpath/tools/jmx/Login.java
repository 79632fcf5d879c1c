package org.fastpath.tools.jmx;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** The user as whom daemons are asked. */
@FunctionalInterface
public interface Login {
  /** The user of this process, with the tickets of {@code kinit} if there are any. */
  Login CALLER = Callable::call;

  /** Runs work as that user. */
  <T> T run(Callable<T> work) throws Exception;

  /** Returns a user with a keytab. */
  static Login keytab(String principal, String file) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation user =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, file);
    return new Login() {
      @Override
      public <T> T run(Callable<T> work) throws Exception {
        return user.doAs((PrivilegedExceptionAction<T>) work::call);
      }
    };
  }
}
