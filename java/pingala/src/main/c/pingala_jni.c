/* The C library for Java by JNI. It opens the library at run time, and passes numbers and addresses on: it reads no number, and
 * holds no array of Java. functions.h is made from the header of the library. */

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pingala.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "functions.h"

/* The symbol of an open library, or NULL. */
static void *symbol(void *library, const char *name)
{
#ifdef _WIN32
    return (void *)GetProcAddress((HMODULE)library, name);
#else
    return dlsym(library, name);
#endif
}

/* Opens the library and finds its functions. NULL, or what went wrong. */
JNIEXPORT jstring JNICALL Java_org_pingala_Jni_open(JNIEnv *env, jclass class, jstring path)
{
    char why[300] = "the file cannot be opened";
    void *library = NULL;
    size_t i;
#ifdef _WIN32
    const jsize length = (*env)->GetStringLength(env, path);
    wchar_t *wide = calloc((size_t)length + 1, sizeof *wide);
    (void)class;
    if (!wide)
        return (*env)->NewStringUTF(env, "no memory");
    (*env)->GetStringRegion(env, path, 0, length, (jchar *)wide);
    library = (void *)LoadLibraryW(wide);
    if (!library)
        snprintf(why, sizeof why, "error %lu of Windows", (unsigned long)GetLastError());
    free(wide);
#else
    const char *text = (*env)->GetStringUTFChars(env, path, NULL);
    (void)class;
    if (!text)
        return NULL;
    library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *error = dlerror();
        if (error)
            snprintf(why, sizeof why, "%s", error);
    }
    (*env)->ReleaseStringUTFChars(env, path, text);
#endif
    if (!library)
        return (*env)->NewStringUTF(env, why);
    for (i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = symbol(library, functions[i].name);
        if (!found) {
            snprintf(why, sizeof why, "it has no %s: another version", functions[i].name);
            return (*env)->NewStringUTF(env, why);
        }
        memcpy(functions[i].where, &found, sizeof found);
    }
    return NULL;
}

JNIEXPORT jlong JNICALL Java_org_pingala_Jni_allocate(JNIEnv *env, jobject self, jlong bytes)
{
    (void)env, (void)self;
    return (jlong)(intptr_t)malloc((size_t)bytes);
}

JNIEXPORT void JNICALL Java_org_pingala_Jni_free(JNIEnv *env, jobject self, jlong address)
{
    (void)env, (void)self;
    free((void *)(intptr_t)address);
}

JNIEXPORT jobject JNICALL Java_org_pingala_Jni_view(JNIEnv *env, jobject self, jlong address, jlong bytes)
{
    (void)self;
    return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)address, bytes);
}

JNIEXPORT jlong JNICALL Java_org_pingala_Jni_address(JNIEnv *env, jobject self, jobject buffer)
{
    (void)self;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}
